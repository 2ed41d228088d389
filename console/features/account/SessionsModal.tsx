import { Button, Modal } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Age } from '#console/ui/Age.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { endOneSession, endOtherSessions, listSessions, type Session } from '#contract/http/account.ts'
import './account.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Where one is signed in, and the way to end it there. */
export function SessionsModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Sessions" size={480}>
      <LoadedSessions />
    </Modal>
  )
}

/** Drawn, and so read, while the modal is open. */
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
    if (await confirmDialog({ title: 'End other sessions', text: messages.confirmEndOtherSessions })) {
      endOthers.mutate({})
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
  const { id, device, address, started, lastUsed, isCurrent, isBound } = session
  const end = useChange(endOneSession, {
    onDone: () => toasts.success(messages.sessionEnded(device)),
  })
  const Icon = /\b(iPhone|iPad|Android)\b/.test(device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className="session">
      <Icon size={20} stroke={1.6} aria-hidden />
      <div>
        <div className="session-name">{device}</div>
        <div className="session-more">
          {isCurrent ? (
            'Used now'
          ) : (
            <>
              Last used <Age at={lastUsed} />
            </>
          )}
          {' · '}signed in {formatMinute(started)}
          {address && ` · ${address}`}
          {!isBound && (
            <>
              {' · '}
              <span title="Whoever has its token has the session: that is how programs sign in.">not bound</span>
            </>
          )}
        </div>
      </div>
      {isCurrent ? (
        <span className="session-current">This session</span>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`End session: ${device}`}
          loading={end.isPending}
          onClick={() => end.mutate({ body: { id } })}
        >
          End
        </Button>
      )}
    </li>
  )
}
