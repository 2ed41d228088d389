import { Button } from '@mantine/core'
import { IconPower } from '@tabler/icons-react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { messages } from '#console/lib/call/messages.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { controlOf } from '#domain/darkness/restart.ts'
import { standingRefusal } from './knownRefusal.ts'
import { powerCommandId } from './powerCommands.ts'
import { type PowerAction, usePower } from './usePower.ts'

interface PowerButtonProps {
  readonly name: string
  readonly of?: string
  readonly action: PowerAction
  /** The action does not restore power, so it must not look like a reset. */
  readonly isLasting?: boolean
}

export function PowerButton({ name, of, action, isLasting = false }: PowerButtonProps) {
  const { isBusy, isOutcomeOpen, perform } = usePower(action.command)
  const device = useOpenDevice()
  usePaletteCommands([
    {
      actionId: 'device.power',
      id: powerCommandId(action),
      label: action.title,
      searchTerms: of === undefined ? name : `${name} ${of}`,
      icon: IconPower,
      refused: isOutcomeOpen ? messages.outcomeOpen : standingRefusal(device),
      run: () => void perform(action),
    },
  ])
  return (
    <Button
      variant={isLasting ? 'outline' : 'default'}
      {...(isLasting ? { color: 'red', leftSection: <IconPower size={16} aria-hidden /> } : {})}
      className={isLasting ? 'power-button power-button-lasting' : 'power-button'}
      data-control={controlOf(action.command)}
      loading={isBusy}
      disabled={isOutcomeOpen}
      title={isOutcomeOpen ? messages.outcomeOpen : name}
      {...(of === undefined ? {} : { 'aria-label': `${name}: ${of}` })}
      onClick={() => void perform(action)}
    >
      {name}
    </Button>
  )
}
