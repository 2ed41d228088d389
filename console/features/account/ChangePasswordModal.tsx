import { Button, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { messages } from '#console/lib/messages.ts'
import { useUser } from '#console/lib/session.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useChange } from '#console/lib/useCall.ts'
import { PasswordField } from '#console/ui/PasswordField.tsx'
import { changePassword, listSessions } from '#contract/http/account.ts'
import { required } from '#domain/validation/messages.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { newPasswordErrors } from './newPassword.ts'
import './account.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** P2 §2 "Change password modal"; 350 wide (P1 §2). */
export function ChangePasswordModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Change password" size={350}>
      <ChangePasswordForm onClose={onClose} />
    </Modal>
  )
}

function ChangePasswordForm({ onClose }: Pick<Props, 'onClose'>) {
  const { id, username } = useUser()
  const form = useForm({
    initialValues: { oldPass: '', newPass: '', repeated: '' },
    validate: ({ oldPass, ...passwords }) => ({
      oldPass: oldPass === '' ? required('Old password') : null,
      ...newPasswordErrors(passwords, username),
    }),
  })
  const change = useChange(changePassword, {
    refreshes: [listSessions],
    showsFailure: true,
    onDone: () => {
      toasts.passwordSuccess(messages.passwordChanged)
      onClose()
    },
  })
  const submit = ({ oldPass, newPass }: { oldPass: string; newPass: string }) => {
    if (!Number.isInteger(id)) {
      toasts.error(messages.userIdNotRead)
      return onClose()
    }
    change.mutate({ query: { oldPass, newPass } }, { onError: showFailure })
  }
  const showFailure: NonNullable<Parameters<typeof change.mutate>[1]>['onError'] = (failure) => {
    if (failure.code === 'wrong_old_password') form.setFieldError('oldPass', failure.message)
    else if (failure.code === 'weak_password') form.setFieldError('newPass', failure.message)
    else toasts.failure(failure)
  }
  return (
    <form className="account-form" noValidate onSubmit={form.onSubmit(submit)}>
      {/* For password managers, which otherwise keep the new password under no name. */}
      <input
        className="visually-hidden"
        type="text"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <PasswordField
        {...form.getInputProps('oldPass')}
        label="Old password"
        autoComplete="current-password"
        data-autofocus
      />
      <NewPasswordFields form={form} />
      <p className="account-hint">Your other sessions end. This one goes on.</p>
      <div className="account-buttons">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
