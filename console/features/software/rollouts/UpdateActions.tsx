import { type Icon, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import {
  type ClientUpdateDetails,
  pauseClientUpdate,
  resumeClientUpdate,
  retryFailedUpdates,
  stopClientUpdate,
} from '#contract/http/software/rollouts.ts'

interface Act {
  readonly name: string
  readonly icon: Icon
  readonly call: typeof pauseClientUpdate
  readonly question: string
  readonly done: string
  readonly isDangerous?: boolean
  /** It is the next step of an update that waits for somebody. */
  readonly isMain?: boolean
}

export function UpdateActions({ update }: { readonly update: ClientUpdateDetails }) {
  return actsOn(update).map((act) => <ActButton key={act.name} act={act} id={update.id} />)
}

function ActButton({
  act: { name, icon, call, question, done, isDangerous = false, isMain = false },
  id,
}: ActButtonProps) {
  const { confirm, isBusy } = useConfirmedChange(call)
  const ask = () => void confirm({ body: { id } }, { title: `${name} this update`, text: question, isDangerous, done })
  usePaletteCommands([{ actionId: 'update.steer', id: `update.steer ${name}`, label: `${name} this update`, run: ask }])
  return (
    <ActionButton icon={icon} iconSize={15} isMain={isMain} loading={isBusy} onClick={ask}>
      {name}
    </ActionButton>
  )
}

interface ActButtonProps {
  readonly act: Act
  readonly id: number
}

function actsOn({ state, version, counts }: ClientUpdateDetails): readonly Act[] {
  const isWaiting = state === 'paused' || state === 'halted'
  return [
    ...(counts.failed > 0 && state !== 'stopped'
      ? [
          {
            name: 'Retry failed',
            icon: IconRefresh,
            call: retryFailedUpdates,
            question: deviceMessages.confirmRetryFailed(version, counts.failed, isWaiting),
            done: isWaiting ? deviceMessages.updateRetriedLater : deviceMessages.updateRetried,
          },
        ]
      : []),
    ...(state === 'running'
      ? [
          {
            name: 'Pause',
            icon: IconPlayerPause,
            call: pauseClientUpdate,
            question: deviceMessages.confirmPauseUpdate(version),
            done: deviceMessages.updatePaused,
          },
        ]
      : []),
    ...(isWaiting
      ? [
          {
            name: 'Resume',
            icon: IconPlayerPlay,
            call: resumeClientUpdate,
            question:
              state === 'halted'
                ? deviceMessages.confirmResumeHalted(version)
                : deviceMessages.confirmResumeUpdate(version),
            done: deviceMessages.updateResumed,
            isDangerous: state === 'halted',
            isMain: true,
          },
        ]
      : []),
    ...(state === 'running' || isWaiting
      ? [
          {
            name: 'Stop',
            icon: IconPlayerStop,
            call: stopClientUpdate,
            question: deviceMessages.confirmStopUpdate(version),
            done: deviceMessages.updateStopped,
            isDangerous: true,
          },
        ]
      : []),
  ]
}
