import { Button, Modal } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { signOut } from '#console/lib/session/session.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { SessionItem } from '#console/ui/records/SessionItem.tsx'
import { endOneSession, endOtherSessions, listSessions, type Session } from '#contract/http/people/account.ts'
import './account.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function SessionsModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Sessions" size={480}>
      <LoadedSessions />
    </Modal>
  )
}

/** The sessions are read only while the modal is open. */
function LoadedSessions() {
  const sessions = useCall(listSessions, {})
  return <AsyncView query={sessions}>{(loaded) => <SessionList sessions={loaded} />}</AsyncView>
}

function SessionList({ sessions }: { readonly sessions: readonly Session[] }) {
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length
  const ending = useConfirmedChange(endOtherSessions)
  const signingOut = useConfirmedChange(endOtherSessions)
  const endOthers = () =>
    ending.confirm(
      {},
      {
        title: 'End other sessions',
        text: messages.confirmEndOtherSessions,
        done: ({ endedCount }) => toasts.success(messages.otherSessionsEnded(endedCount)),
      },
    )
  const signOutEverywhere = () =>
    signingOut.confirm(
      {},
      { title: 'Sign out everywhere', text: messages.confirmSignOutEverywhere, done: () => signOut() },
    )
  return (
    <>
      <ul className="record-list">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="account-buttons">
        <Button variant="default" loading={signingOut.isBusy} onClick={() => void signOutEverywhere()}>
          Sign out everywhere
        </Button>
        <Button variant="default" disabled={others === 0} loading={ending.isBusy} onClick={() => void endOthers()}>
          End all other sessions
        </Button>
      </div>
    </>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const { id, device } = session
  const end = useChange(endOneSession, {
    onDone: () => toasts.success(messages.sessionEnded(device)),
  })
  return <SessionItem session={session} isEnding={end.isPending} onEnd={() => end.mutate({ body: { id } })} />
}
