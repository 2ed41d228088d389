import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { UserId } from '#domain/ids.ts'
import { sendMail } from './passwordMails.ts'
import { UserFields } from './UserFields.tsx'
import { NEW_USER, newUserBody } from './userValues.ts'
import { useUserForm } from './useUserForm.ts'

interface Props {
  readonly onAdded: (id: UserId) => void
  readonly onCancel: () => void
}

/** A new user has no password: the activation email has the link by which they set it (P2 §6). */
export function AddUserForm({ onAdded, onCancel }: Props) {
  const [sendsMail, setSendsMail] = useState(true)
  const { form, save, isSaving } = useUserForm({
    initial: NEW_USER,
    body: newUserBody,
    onSaved: (id) => {
      if (sendsMail) void sendMail('activation', id)
      onAdded(id)
    },
  })
  return (
    <form noValidate onSubmit={save} aria-label="New user">
      <Stack gap="md">
        <UserFields form={form} />
        <Checkbox
          size="xs"
          label="Send activation email"
          checked={sendsMail}
          onChange={({ currentTarget }) => setSendsMail(currentTarget.checked)}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Add user
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
