import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { setUser } from '#contract/http/people/users.ts'
import type { UserId } from '#domain/ids.ts'
import { sendMail } from './passwordMails.ts'
import { UserFields } from './UserFields.tsx'
import { NEW_USER, newUserBody, USER_FORM } from './userValues.ts'

interface Props {
  readonly onAdded: (id: UserId) => void
  readonly onCancel: () => void
}

/** A new user has no password: the activation email has the link by which they set it (rules/people 3). */
export function AddUserForm({ onAdded, onCancel }: Props) {
  const [sendsMail, setSendsMail] = useState(true)
  const form = useCallForm(setUser, {
    ...USER_FORM,
    initial: NEW_USER,
    sends: newUserBody,
    onSaved: (id) => {
      if (sendsMail) void sendMail('activation', id as UserId)
      onAdded(id as UserId)
    },
  })
  return (
    <ModalForm label="New user" onSubmit={form.submit} isBusy={form.isBusy} submitLabel="Add user" onCancel={onCancel}>
      <UserFields form={form} />
      <Checkbox
        size="xs"
        label="Send activation email"
        checked={sendsMail}
        onChange={({ currentTarget }) => setSendsMail(currentTarget.checked)}
      />
    </ModalForm>
  )
}
