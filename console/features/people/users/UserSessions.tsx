import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { nameOf } from '#console/lib/userName.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { SessionItem } from '#console/ui/records/SessionItem.tsx'
import { endUserSessions, listUserSessions, type Session } from '#contract/http/people/account.ts'
import { listRoles } from '#contract/http/people/roles.ts'
import type { AppUser } from '#contract/http/people/users.ts'

export function UserSessions({ user }: { readonly user: AppUser }) {
  const roles = useCall(listRoles, {})
  const isManageable = roles.data?.some(({ id }) => id === user.roleId)
  return isManageable && <ManagedSessions user={user} />
}

function ManagedSessions({ user }: { readonly user: AppUser }) {
  const sessions = useCall(listUserSessions, { id: user.id })
  const end = useChange(endUserSessions, {
    onDone: ({ endedCount }) => toasts.success(messages.sessionsEnded(endedCount)),
  })
  const endAll = async () => {
    const text = messages.confirmEndUserSessions(nameOf(user))
    if (await confirmDialog({ title: 'End all sessions', text, call: endUserSessions }))
      end.mutate({ body: { userId: user.id } })
  }
  usePaletteCommands([
    {
      actionId: 'user.endSessions',
      label: 'End all sessions',
      searchTerms: 'sign out',
      icon: IconLogout,
      run: () => void endAll(),
    },
  ])
  const hasSome = (sessions.data ?? []).length > 0
  return (
    <Panel
      title="Sessions"
      isPadded
      meta={
        hasSome && (
          <Button variant="default" size="compact-sm" loading={end.isPending} onClick={() => void endAll()}>
            End all
          </Button>
        )
      }
    >
      <AsyncView query={sessions} isEmpty={(rows) => rows.length === 0} empty="This user is signed in nowhere">
        {(rows) => (
          <ul className="session-list">
            {rows.map((session) => (
              <UserSession key={session.id} user={user} session={session} />
            ))}
          </ul>
        )}
      </AsyncView>
    </Panel>
  )
}

function UserSession({ user, session }: { readonly user: AppUser; readonly session: Session }) {
  const { id, device } = session
  const end = useChange(endUserSessions, { onDone: () => toasts.success(messages.sessionEnded(device)) })
  return (
    <SessionItem session={session}>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`End session: ${device}`}
        loading={end.isPending}
        onClick={() => end.mutate({ body: { userId: user.id, id } })}
      >
        End
      </Button>
    </SessionItem>
  )
}
