import { Button, Modal } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
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
  const endOthers = useChange(endOtherSessions, {
    onDone: ({ endedCount }) => toasts.success(messages.otherSessionsEnded(endedCount)),
  })
  const others = sessions.filter(({ isCurrent }) => !isCurrent).length
  const askAndEnd = async () => {
    if (
      await confirmDialog({
        title: 'End other sessions',
        text: messages.confirmEndOtherSessions,
        call: endOtherSessions,
      })
    ) {
      endOthers.mutate({})
    }
  }
  const everywhere = useChange(endOtherSessions, { onDone: () => signOut() })
  const askAndSignOut = async () => {
    if (
      await confirmDialog({
        title: 'Sign out everywhere',
        text: messages.confirmSignOutEverywhere,
        call: endOtherSessions,
      })
    ) {
      everywhere.mutate({})
    }
  }
  return (
    <>
      <ul className="session-list">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="account-buttons">
        <Button variant="default" loading={everywhere.isPending} onClick={() => void askAndSignOut()}>
          Sign out everywhere
        </Button>
        <Button
          variant="default"
          disabled={others === 0}
          loading={endOthers.isPending}
          onClick={() => void askAndEnd()}
        >
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
  return (
    <SessionItem session={session}>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`End session: ${device}`}
        loading={end.isPending}
        onClick={() => end.mutate({ body: { id } })}
      >
        End
      </Button>
    </SessionItem>
  )
}
