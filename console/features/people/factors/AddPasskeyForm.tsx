import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { useFieldForm } from '#console/lib/form/useFieldForm.ts'
import { makePasskey, PasskeyFailed } from '#console/lib/session/passkeys.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { addPasskey, type getNewPasskey } from '#contract/http/people/passkeys.ts'
import { required } from '#domain/validation/messages.ts'

interface Props {
  readonly begun: AnswerOf<typeof getNewPasskey>
  readonly onCancel: () => void
  /** @param recoveryCodes empty if there were some already */
  readonly onAdded: (recoveryCodes: readonly string[]) => void
}

const LABEL = 'Name of the passkey'

/** The name is asked for first, because the browser's own passkey window covers everything. */
export function AddPasskeyForm({ begun, onCancel, onAdded }: Props) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const add = async (name: string) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const passkey = await makePasskey(begun)
      const { recoveryCodes } = await send(addPasskey, { body: { challenge: begun.challenge, name, passkey } })
      toasts.success(messages.factorAdded(name))
      onAdded(recoveryCodes)
      await refreshAfter(addPasskey)
    } catch (thrown) {
      if (thrown instanceof PasskeyFailed) setFailure(thrown.message)
      else toasts.failure(thrown)
      setBusy(false)
    }
  }
  const { field, submit } = useFieldForm({
    labels: { name: LABEL },
    initial: { name: 'Passkey' },
    requires: () => true,
    longest: () => 60,
    errors: ({ name }) => (name.trim() === '' ? { name: required(LABEL) } : {}),
    onSubmit: ({ name }) => void add(name.trim()),
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Add" onCancel={onCancel} label="Add passkey">
      <p className="factor-lead">
        A passkey is kept by this device, by your telephone, or by a security key. Your browser asks for it next.
      </p>
      <TextInput {...field('name')} autoComplete="off" data-autofocus />
      {failure !== undefined && <FormNote kind="failed" text={failure} />}
    </ModalForm>
  )
}
