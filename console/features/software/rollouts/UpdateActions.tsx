import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter, useChange } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import {
  type ClientUpdateDetails,
  pauseClientUpdate,
  resumeClientUpdate,
  retryFailedUpdates,
  stopClientUpdate,
} from '#contract/http/software/rollouts.ts'

interface Act {
  readonly name: string
  readonly icon: ReactNode
  readonly call: typeof pauseClientUpdate
  readonly question: string
  readonly done: string
  readonly isDangerous?: boolean
}

export function UpdateActions({ update }: { readonly update: ClientUpdateDetails }) {
  return actsOn(update).map((act) => <ActButton key={act.name} act={act} id={update.id} />)
}

function ActButton({ act: { name, icon, call, question, done, isDangerous = false }, id }: ActButtonProps) {
  const change = useChange(call, { onDone: () => toasts.success(done) })
  const ask = async () => {
    if (!(await confirmDialog({ title: `${name} this update`, text: question, isDangerous, call }))) return
    // The call was refused because the rollout has moved on, so the screen is out of date.
    change.mutate({ body: { id } }, { onError: () => void refreshAfter(call) })
  }
  usePaletteCommands([
    { actionId: 'update.steer', id: `update.steer ${name}`, label: `${name} this update`, run: () => void ask() },
  ])
  return (
    <Button variant="default" leftSection={icon} loading={change.isPending} onClick={() => void ask()}>
      {name}
    </Button>
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
            icon: <IconRefresh size={15} aria-hidden />,
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
            icon: <IconPlayerPause size={15} aria-hidden />,
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
            icon: <IconPlayerPlay size={15} aria-hidden />,
            call: resumeClientUpdate,
            question:
              state === 'halted'
                ? deviceMessages.confirmResumeHalted(version)
                : deviceMessages.confirmResumeUpdate(version),
            done: deviceMessages.updateResumed,
            isDangerous: state === 'halted',
          },
        ]
      : []),
    ...(state === 'running' || isWaiting
      ? [
          {
            name: 'Stop',
            icon: <IconPlayerStop size={15} aria-hidden />,
            call: stopClientUpdate,
            question: deviceMessages.confirmStopUpdate(version),
            done: deviceMessages.updateStopped,
            isDangerous: true,
          },
        ]
      : []),
  ]
}
