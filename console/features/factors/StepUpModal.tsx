import { Modal, TextInput } from '@mantine/core'
import { useUser } from '#console/lib/call/session.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { PasswordField } from '#console/ui/form/PasswordField.tsx'
import { getStepUpWays, stepUp } from '#contract/http/factors/factors.ts'
import { CODE_LABEL, codeHint } from './codeWords.ts'
import './factors.css'

interface Props {
  readonly isOpen: boolean
  readonly onEnd: (isProved: boolean) => void
}

/** Asks once more who it is, before something that whoever merely sits at this browser should not do. */
export function StepUpModal({ isOpen, onEnd }: Props) {
  return (
    <Modal opened={isOpen} onClose={() => onEnd(false)} title="Confirm that it is you" size={380} centered>
      <Asked onEnd={onEnd} />
    </Modal>
  )
}

/** Drawn, and so read, while the modal is open. */
function Asked({ onEnd }: Pick<Props, 'onEnd'>) {
  const ways = useCall(getStepUpWays, {})
  return (
    <AsyncView query={ways}>
      {({ ways: known }) =>
        known.includes('password') ? (
          <ByPassword onEnd={onEnd} />
        ) : (
          <ByCode hasRecoveryCodes={known.includes('recoveryCode')} onEnd={onEnd} />
        )
      }
    </AsyncView>
  )
}

const WHY = 'This was asked for. It needs a proof of the last 15 minutes that it is you.'

function ByPassword({ onEnd }: Pick<Props, 'onEnd'>) {
  const { username } = useUser()
  const { field, submit, isBusy } = useCallForm(stepUp, {
    labels: { password: 'Password' },
    initial: { password: '' },
    requires: ['password'],
    content: ({ password }) => ({ password }),
    refusals: { wrong_second_factor: 'password' },
    onSaved: () => onEnd(true),
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Confirm" onCancel={() => onEnd(false)}>
      <p className="factor-lead">{WHY}</p>
      {/* For password managers. */}
      <input
        className="visually-hidden"
        type="text"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <PasswordField {...field('password')} autoComplete="current-password" data-autofocus />
    </ModalForm>
  )
}

function ByCode({ hasRecoveryCodes, onEnd }: Pick<Props, 'onEnd'> & { readonly hasRecoveryCodes: boolean }) {
  const { field, submit, isBusy } = useCallForm(stepUp, {
    labels: { code: CODE_LABEL },
    initial: { code: '' },
    requires: ['code'],
    content: ({ code }) => ({ code }),
    refusals: { wrong_second_factor: 'code' },
    onSaved: () => onEnd(true),
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Confirm" onCancel={() => onEnd(false)}>
      <p className="factor-lead">{WHY}</p>
      <TextInput
        {...field('code')}
        description={codeHint(hasRecoveryCodes)}
        autoComplete="one-time-code"
        spellCheck={false}
        data-autofocus
      />
    </ModalForm>
  )
}
