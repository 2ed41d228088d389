import { Modal, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { listApiTokens } from '#contract/http/people/apiTokens.ts'
import { MadeToken } from './MadeToken.tsx'
import { TokenForm } from './TokenForm.tsx'
import { TokenList } from './TokenList.tsx'
import { tokenMessages } from './tokenMessages.ts'
import './apiTokens.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Programs sign in with tokens. Users manage their own; admins manage all within their scope. */
export function ApiTokensModal({ isOpen, onClose }: Props) {
  // A token that was shown once must be gone when the modal opens again.
  return isOpen ? <OpenModal onClose={onClose} /> : null
}

function OpenModal({ onClose }: Pick<Props, 'onClose'>) {
  const [step, setStep] = useState<'list' | 'make' | { readonly token: string; readonly name: string }>('list')
  const isShown = typeof step === 'object'
  return (
    <Modal
      opened
      onClose={onClose}
      title={step === 'list' ? 'API tokens' : isShown ? 'New API token' : 'Create API token'}
      size={620}
      closeOnClickOutside={step === 'list'}
    >
      {step === 'list' && <Tokens onMake={() => setStep('make')} />}
      {step === 'make' && (
        <TokenForm onMade={(token, name) => setStep({ token, name })} onCancel={() => setStep('list')} />
      )}
      {isShown && <MadeToken {...step} onDone={() => setStep('list')} />}
    </Modal>
  )
}

function Tokens({ onMake }: { readonly onMake: () => void }) {
  const isAdmin = useMay('admin')
  const [whose, setWhose] = useState('own')
  const tokens = useCall(listApiTokens, isAdmin && whose === 'all' ? { all: true } : {})
  return (
    <>
      {isAdmin && (
        <SegmentedControl
          size="xs"
          className="token-whose"
          aria-label="Whose"
          data={[
            { value: 'own', label: 'Yours' },
            { value: 'all', label: 'All users' },
          ]}
          value={whose}
          onChange={setWhose}
        />
      )}
      <AsyncView
        query={tokens}
        empty={
          <EmptyNote title={tokenMessages.none}>
            <p>{tokenMessages.whatFor}</p>
          </EmptyNote>
        }
      >
        {(list) => <TokenList tokens={list} />}
      </AsyncView>
      <div className="account-buttons token-foot">
        <ActionButton icon={IconPlus} isMain onClick={onMake}>
          Create token
        </ActionButton>
      </div>
    </>
  )
}
