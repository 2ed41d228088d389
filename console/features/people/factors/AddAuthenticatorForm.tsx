import { TextInput } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { inGroups, QrCode } from '#console/ui/factor/QrCode.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { addAuthenticator, type getNewAuthenticator } from '#contract/http/people/factors.ts'

interface Props {
  readonly begun: AnswerOf<typeof getNewAuthenticator>
  readonly onCancel: () => void
  /** @param recoveryCodes empty if there were some already */
  readonly onAdded: (recoveryCodes: readonly string[]) => void
}

export function AddAuthenticatorForm({ begun: { challenge, secret, uri }, onCancel, onAdded }: Props) {
  const { field, values, submit, isBusy } = useCallForm(addAuthenticator, {
    labels: { code: 'Code that the app shows', name: 'Name of the app' },
    initial: { code: '', name: 'Authenticator app' },
    content: ({ code, name }) => ({ challenge, code, name }),
    refusals: { wrong_second_factor: 'code' },
    onSaved: ({ recoveryCodes }) => {
      toasts.success(messages.factorAdded(values.name.trim()))
      onAdded(recoveryCodes)
    },
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Add" onCancel={onCancel} label="Add authenticator app">
      <div className="factor-secret">
        <QrCode text={uri} label="QR code for the authenticator app" />
        <div>
          <p className="factor-lead">Scan this with an authenticator app, or type the key into it:</p>
          <p className="factor-key">
            <code>{inGroups(secret)}</code>
            <CopyButton name="key" text={secret} />
          </p>
        </div>
      </div>
      <TextInput
        {...field('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        data-autofocus
      />
      <TextInput {...field('name')} autoComplete="off" />
    </ModalForm>
  )
}
