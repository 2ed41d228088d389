import { Modal } from '@mantine/core'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { keepUserFresh } from '#console/lib/session/session.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { RecoveryCodes } from '#console/ui/factor/RecoveryCodes.tsx'
import { Kit } from '#console/ui/kit/Kit.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { getNewAuthenticator, listFactors } from '#contract/http/people/factors.ts'
import { getNewPasskey } from '#contract/http/people/passkeys.ts'
import { AddAuthenticatorForm } from './AddAuthenticatorForm.tsx'
import { AddPasskeyForm } from './AddPasskeyForm.tsx'
import { FactorList } from './FactorList.tsx'
import './factors.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function SecondFactorModal({ isOpen, onClose }: Props) {
  return (
    <Kit>
      <Modal opened={isOpen} onClose={onClose} title="Second factor" size={520}>
        <Steps />
      </Modal>
    </Kit>
  )
}

type Step =
  | { readonly kind: 'authenticator'; readonly begun: AnswerOf<typeof getNewAuthenticator> }
  | { readonly kind: 'passkey'; readonly begun: AnswerOf<typeof getNewPasskey> }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

/** The factors are read only while the modal is open. */
function Steps() {
  const factors = useCall(listFactors, {})
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  const showCodes = (codes: readonly string[]) => {
    setStep(codes.length > 0 ? { kind: 'codes', codes } : undefined)
    // The page may still say that the user needs a factor, so the user is read again.
    keepUserFresh()
  }
  const beginAuthenticator = () =>
    send(getNewAuthenticator, {}).then((begun) => setStep({ kind: 'authenticator', begun }), toasts.failure)
  const beginPasskey = () =>
    send(getNewPasskey, {}).then((begun) => setStep({ kind: 'passkey', begun }), toasts.failure)

  if (step?.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={close} />
  if (step?.kind === 'authenticator') {
    return <AddAuthenticatorForm begun={step.begun} onCancel={close} onAdded={showCodes} />
  }
  if (step?.kind === 'passkey') return <AddPasskeyForm begun={step.begun} onCancel={close} onAdded={showCodes} />
  return (
    <AsyncView query={factors}>
      {(loaded) => (
        <FactorList
          {...loaded}
          onAddAuthenticator={beginAuthenticator}
          onAddPasskey={beginPasskey}
          onRecoveryCodes={showCodes}
        />
      )}
    </AsyncView>
  )
}
