import {
  IconEraser,
  IconFileDownload,
  IconKey,
  IconMailForward,
  IconSettings,
  IconShieldOff,
  IconTrash,
} from '@tabler/icons-react'
import { download } from '#console/lib/call/download.ts'
import { messages } from '#console/lib/call/messages.ts'
import { endSession } from '#console/lib/call/sessionStore.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { queryClient, useChange } from '#console/lib/call/useCall.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useSession } from '#console/lib/session/session.ts'
import { nameOf } from '#console/lib/userName.ts'
import { address } from '#console/router/addressText.ts'
import { useBack } from '#console/router/Router.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'
import { resetFactors } from '#contract/http/people/factors.ts'
import { downloadPersonalData, erasePersonalData } from '#contract/http/people/personalData.ts'
import { type AppUser, deleteUser, getUser } from '#contract/http/people/users.ts'
import { askAndSendMail, type PasswordMail } from './passwordMails.ts'

function useUserActions(user: AppUser) {
  const name = nameOf(user)
  const remove = useDeletion(user)
  const erase = useErasure(user)
  const mail = (kind: PasswordMail) => () => void askAndSendMail(kind, user.id, name)
  const entries = [
    {
      actionId: 'user.mail',
      id: 'user.mail activation',
      label: 'Send activation email',
      searchTerms: 'invite',
      icon: IconMailForward,
      run: mail('activation'),
    },
    {
      actionId: 'user.mail',
      id: 'user.mail reset',
      label: 'Send reset password email',
      icon: IconKey,
      run: mail('reset'),
    },
    {
      actionId: 'user.factors',
      label: 'Reset second factor',
      searchTerms: 'lost telephone passkey 2fa mfa',
      icon: IconShieldOff,
      run: () => void resetFactorsOf(user),
    },
    {
      actionId: 'user.personalData',
      label: 'Download personal data',
      searchTerms: 'privacy gdpr export',
      icon: IconFileDownload,
      run: () => void savePersonalData(user),
    },
  ] as const
  const endings = [
    { actionId: 'user.delete', label: 'Delete user', searchTerms: 'remove', icon: IconTrash, run: () => void remove() },
    {
      actionId: 'user.erase',
      label: 'Erase user',
      searchTerms: 'privacy gdpr forget',
      icon: IconEraser,
      run: () => void erase(),
    },
  ] as const
  usePaletteCommands([...entries, ...endings])
  return { entries, endings }
}

/** The gear menu follows rules/people 4. */
export function UserMenu({ user }: { readonly user: AppUser }) {
  const { entries, endings } = useUserActions(user)
  return (
    <MoreMenu of="this user" icon={IconSettings}>
      {entries.map(({ label, icon: Icon, run }) => (
        <MenuItem icon={Icon} key={label} onClick={run}>
          {label}
        </MenuItem>
      ))}
      <Menu.Divider />
      {endings.map(({ label, icon: Icon, run }) => (
        <MenuItem icon={Icon} key={label} className="menu-danger" onClick={run}>
          {label}
        </MenuItem>
      ))}
    </MoreMenu>
  )
}

const savePersonalData = ({ id }: AppUser) =>
  download(downloadPersonalData, { query: { id } }, `personal-data-${id}.json`).catch(toasts.failure)

/** It helps users who have lost their telephone and their recovery codes. */
const resetFactorsOf = (user: AppUser) =>
  confirmAndChange(
    resetFactors,
    { body: { id: user.id } },
    {
      title: 'Reset second factor',
      text: messages.confirmResetFactors(nameOf(user)),
      isDangerous: true,
      done: messages.factorsReset(nameOf(user)),
    },
  )

/** Users who delete themselves are signed out to the login page; otherwise the app goes back (rules/people 5). */
function useDeletion(user: AppUser): () => Promise<void> {
  const name = nameOf(user)
  const leave = useLeaving(user, messages.userDeleted(name))
  const change = useChange(deleteUser, { showsFailure: true, onDone: leave })
  return async () => {
    const text = messages.confirmDeleteUser(name)
    if (!(await confirmDialog({ title: 'Delete user', text, isDangerous: true, call: deleteUser }))) return
    change.mutate(
      { query: { id: user.id } },
      {
        onError: (failure) => {
          toasts.error(`${messages.userNotDeleted(name)} ${failure.message}`)
        },
      },
    )
  }
}

/** Erasure also deletes all personal data, so it asks for a word to be typed. */
function useErasure(user: AppUser): () => Promise<void> {
  const name = nameOf(user)
  const done = useLeaving(user, messages.personErased(name))
  const words = { title: 'Erase user', text: messages.confirmErasure(name), isDangerous: true, done }
  return () => confirmAndChange(erasePersonalData, { body: { id: user.id } }, words)
}

function useLeaving(user: AppUser, words: string): () => Promise<void> {
  const me = useSession()?.user
  const goBack = useBack(address('/users'))
  return async () => {
    if (user.id === me?.id) return endSession('signedOut')
    toasts.success(words)
    // Unsaved changes have nowhere to be saved any more.
    await goBack({ leavesAll: true })
    queryClient.removeQueries({ queryKey: [getUser.path] })
  }
}
