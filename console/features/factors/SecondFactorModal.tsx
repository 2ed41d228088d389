import { Modal } from '@mantine/core'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { getNewAuthenticator, listFactors } from '#contract/http/factors/factors.ts'
import { AddAuthenticatorForm } from './AddAuthenticatorForm.tsx'
import { FactorList } from './FactorList.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import './factors.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** What one proves beside the password who one is. */
export function SecondFactorModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Second factor" size={520}>
      <Steps />
    </Modal>
  )
}

/** Drawn, and so read, while the modal is open. */
function Steps() {
  const factors = useCall(listFactors, {})
  const [begun, setBegun] = useState<AnswerOf<typeof getNewAuthenticator>>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const begin = () => send(getNewAuthenticator, {}).then(setBegun, toasts.failure)

  if (codes.length > 0) return <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
  if (begun) {
    const close = () => setBegun(undefined)
    return (
      <AddAuthenticatorForm
        begun={begun}
        onCancel={close}
        onAdded={(recoveryCodes) => {
          setCodes(recoveryCodes)
          close()
        }}
      />
    )
  }
  return (
    <AsyncView query={factors}>
      {(loaded) => <FactorList {...loaded} onAddAuthenticator={begin} onRecoveryCodes={setCodes} />}
    </AsyncView>
  )
}
