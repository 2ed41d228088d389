import { ActionIcon, Menu } from '@mantine/core'
import { IconKey, IconMailForward, IconSettings, IconShieldOff, IconTrash } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { useSession } from '#console/lib/call/session.ts'
import { endSession } from '#console/lib/call/sessionStore.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { queryClient, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { nameOf } from '#console/lib/userName.ts'
import { address } from '#console/router/addressText.ts'
import { useBack } from '#console/router/Router.tsx'
import { type AppUser, deleteUser, getUser } from '#contract/http/appUser.ts'
import { resetFactors } from '#contract/http/factors/factors.ts'
import { askAndSendMail } from './passwordMails.ts'

/** The gear menu of a user (P2 §2 "User details screen", §8). */
export function UserMenu({ user }: { readonly user: AppUser }) {
  const name = nameOf(user)
  const remove = useDeletion(user)
  const reset = useFactorReset(user)
  useUserOffers(user, { remove, reset })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Settings of this user" title="Settings">
          <IconSettings size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconMailForward size={16} aria-hidden />}
          onClick={() => void askAndSendMail('activation', user.id, name)}
        >
          Send activation email
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKey size={16} aria-hidden />}
          onClick={() => void askAndSendMail('reset', user.id, name)}
        >
          Send reset password email
        </Menu.Item>
        <Menu.Item leftSection={<IconShieldOff size={16} aria-hidden />} onClick={() => void reset()}>
          Reset second factor
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          className="menu-danger"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void remove()}
        >
          Delete user
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface UserActs {
  readonly remove: () => Promise<void>
  readonly reset: () => Promise<void>
}

/** The same, for the palette. */
function useUserOffers(user: AppUser, { remove, reset }: UserActs): void {
  const name = nameOf(user)
  useOffers([
    {
      deed: 'user.mail',
      id: 'user.mail activation',
      label: 'Send activation email',
      otherWords: 'invite',
      icon: IconMailForward,
      run: () => void askAndSendMail('activation', user.id, name),
    },
    {
      deed: 'user.mail',
      id: 'user.mail reset',
      label: 'Send reset password email',
      icon: IconKey,
      run: () => void askAndSendMail('reset', user.id, name),
    },
    {
      deed: 'user.factors',
      label: 'Reset second factor',
      otherWords: 'lost telephone passkey 2fa mfa',
      icon: IconShieldOff,
      run: () => void reset(),
    },
    { deed: 'user.delete', label: 'Delete user', otherWords: 'remove', icon: IconTrash, run: () => void remove() },
  ])
}

/** For who has lost their telephone and their recovery codes. */
function useFactorReset(user: AppUser): () => Promise<void> {
  const name = nameOf(user)
  const reset = useChange(resetFactors, { onDone: () => toasts.success(messages.factorsReset(name)) })
  return async () => {
    const text = messages.confirmResetFactors(name)
    if (!(await confirmDialog({ title: 'Reset second factor', text, isDangerous: true }))) return
    reset.mutate({ body: { id: user.id } })
  }
}

/** Whoever deletes oneself is signed out, and at the login page; otherwise the app goes back (P2 §4). */
function useDeletion(user: AppUser): () => Promise<void> {
  const me = useSession()?.user
  const goBack = useBack(address('/users'))
  const name = nameOf(user)
  const change = useChange(deleteUser, {
    showsFailure: true,
    onDone: () => {
      if (user.id === me?.id) return endSession('signedOut')
      toasts.success(messages.userDeleted(name))
      queryClient.removeQueries({ queryKey: [getUser.path] })
      goBack()
    },
  })
  return async () => {
    const text = messages.confirmDeleteUser(name)
    if (!(await confirmDialog({ title: 'Delete user', text, isDangerous: true }))) return
    change.mutate(
      { query: { id: user.id } },
      {
        onError: (failure) => {
          toasts.failure(failure)
          toasts.error(messages.userNotDeleted(name))
        },
      },
    )
  }
}
