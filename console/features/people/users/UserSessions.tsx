import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
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
  const { confirm, isBusy } = useConfirmedChange(endUserSessions)
  const endAll = () =>
    void confirm(
      { body: { userId: user.id } },
      {
        title: 'End all sessions',
        text: messages.confirmEndUserSessions(nameOf(user)),
        done: ({ endedCount }) => toasts.success(messages.sessionsEnded(endedCount)),
      },
    )
  usePaletteCommands([
    {
      actionId: 'user.endSessions',
      label: 'End all sessions',
      searchTerms: 'sign out',
      icon: IconLogout,
      run: endAll,
    },
  ])
  const hasSome = (sessions.data ?? []).length > 0
  return (
    <Panel
      title="Sessions"
      isPadded
      meta={
        hasSome && (
          <Button variant="default" size="compact-sm" loading={isBusy} onClick={endAll}>
            End all
          </Button>
        )
      }
    >
      <AsyncView query={sessions} empty="This user is signed in nowhere">
        {(rows) => (
          <ul className="record-list">
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
    <SessionItem
      session={session}
      isEnding={end.isPending}
      onEnd={() => end.mutate({ body: { userId: user.id, id } })}
    />
  )
}
