import { Modal } from '@mantine/core'
import type { FormEvent } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { HiddenUsername } from '#console/ui/form/HiddenUsername.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import { changePassword } from '#contract/http/people/account.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { NEW_PASSWORD_LABEL, REPEATED_LABEL, repetitionError, weakness } from './newPassword.ts'
import './account.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** It asks for the old password and twice for the new one (rules/people 8). */
export function ChangePasswordModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Change password" size={350}>
      <ChangePasswordForm onClose={onClose} />
    </Modal>
  )
}

function ChangePasswordForm({ onClose }: Pick<Props, 'onClose'>) {
  const { id, username } = useUser()
  const { field, submit, isBusy } = useCallForm(changePassword, {
    labels: { oldPass: 'Old password', newPass: NEW_PASSWORD_LABEL, repeated: REPEATED_LABEL },
    initial: { oldPass: '', newPass: '', repeated: '' },
    content: ({ oldPass, newPass }) => ({ oldPass, newPass }),
    check: ({ newPass, repeated }) => ({
      newPass: weakness(newPass, username),
      repeated: repetitionError(newPass, repeated),
    }),
    refusals: { wrong_old_password: 'oldPass', weak_password: 'newPass' },
    onSaved: () => {
      toasts.passwordSuccess(messages.passwordChanged)
      onClose()
    },
  })
  const submitKnown = (event: FormEvent<HTMLFormElement>) => {
    if (Number.isInteger(id)) return submit(event)
    event.preventDefault()
    toasts.error(messages.userIdNotRead)
    onClose()
  }
  return (
    <ModalForm onSubmit={submitKnown} isBusy={isBusy} submitLabel="Change password" onCancel={onClose}>
      <HiddenUsername username={username} />
      <PasswordField {...field('oldPass')} autoComplete="current-password" data-autofocus />
      <NewPasswordFields password={field('newPass')} repeated={field('repeated')} />
      <p className="account-hint">Your other sessions end. This one stays.</p>
    </ModalForm>
  )
}
