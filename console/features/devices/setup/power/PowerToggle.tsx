import { Button } from '@mantine/core'
import { IconPower } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { messages } from '#console/lib/call/messages.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { controlOf } from '#domain/darkness/restart.ts'
import { standingRefusal } from './knownRefusal.ts'
import { powerCommandId } from './powerCommands.ts'
import { type PowerAction, usePower } from './usePower.ts'

/** A device reports a switched relay at once; after this time the present state is shown as it is. */
const REPORTED_WITHIN_MS = 15_000

interface PowerToggleProps {
  readonly name: string
  /** The state that the device last reported; undefined if it never has. */
  readonly isOn: boolean | undefined
  readonly actionFor: (isOn: boolean) => PowerAction
}

/**
 * The toggle shows what the device last reported, whatever was clicked: refused or unanswered it never moves, and
 * carried out it moves with the device's own report (rules/commands 5).
 */
export function PowerToggle({ name, isOn, actionFor }: PowerToggleProps) {
  const { command } = actionFor(true)
  const control = controlOf(command)
  const { isBusy, isOutcomeOpen, perform } = usePower(command)
  const [awaited, setAwaited] = useState<boolean>()

  useEffect(() => {
    if (awaited === undefined) return
    const forget = () => setAwaited(undefined)
    if (awaited === isOn) return forget()
    const timer = setTimeout(forget, REPORTED_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [awaited, isOn])

  const turn = async (next: boolean) => {
    if (await perform(actionFor(next))) setAwaited(next)
  }

  useToggleCommands({ name, isOn, isOutcomeOpen, actionFor, turn: (next) => void turn(next) })

  if (isOn === undefined) {
    return (
      <fieldset className="power-unknown" aria-label={name} data-control={control}>
        <span>
          {name}
          <small>State unknown</small>
        </span>
        {[true, false].map((next) => (
          <Button
            key={String(next)}
            variant="default"
            loading={isBusy}
            disabled={isOutcomeOpen}
            {...(isOutcomeOpen ? { title: messages.outcomeOpen } : {})}
            aria-label={`Turn ${next ? 'on' : 'off'}: ${name}`}
            onClick={() => void turn(next)}
          >
            Turn {next ? 'on' : 'off'}
          </Button>
        ))}
      </fieldset>
    )
  }
  const isWaiting = awaited !== undefined && awaited !== isOn
  return (
    <Toggle
      label={name}
      control={control}
      isOn={isOn}
      isBusy={isBusy || isWaiting || isOutcomeOpen}
      {...(isWaiting ? { stateText: 'Waiting for its report' } : {})}
      {...(isOutcomeOpen ? { stateText: messages.outcomeOpen } : {})}
      onChange={(next) => void turn(next)}
    />
  )
}

interface ToggleCommands extends PowerToggleProps {
  readonly isOutcomeOpen: boolean
  readonly turn: (isOn: boolean) => void
}

function useToggleCommands({ name, isOn, isOutcomeOpen, actionFor, turn }: ToggleCommands) {
  const device = useOpenDevice()
  const refusalOf = (next: boolean) => {
    if (isOutcomeOpen) return messages.outcomeOpen
    if (next === isOn) return next ? messages.isOnAlready : messages.isOffAlready
    return standingRefusal(device)
  }
  usePaletteCommands(
    [true, false].map((next) => ({
      actionId: 'device.power',
      id: powerCommandId(actionFor(next)),
      label: actionFor(next).title,
      searchTerms: name,
      icon: IconPower,
      refused: refusalOf(next),
      run: () => turn(next),
    })),
  )
}
