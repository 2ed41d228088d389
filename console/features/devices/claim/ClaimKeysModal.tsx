import { Button, Modal, Stack } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { RecordItem } from '#console/ui/records/RecordItem.tsx'
import { type ClaimKey, endClaimKey, listClaimKeys } from '#contract/http/devices/claims.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { ClaimKeyForm } from './ClaimKeyForm.tsx'
import { claimMessages } from './claimText.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** A key that was shown once must be gone when the dialog opens again. */
export const ClaimKeysModal = ({ isOpen, onClose }: Props) => (isOpen ? <OpenModal onClose={onClose} /> : null)

function OpenModal({ onClose }: Pick<Props, 'onClose'>) {
  const [step, setStep] = useState<'list' | 'make' | { readonly key: string; readonly name: string }>('list')
  const isShown = typeof step === 'object'
  return (
    <Modal
      opened
      onClose={onClose}
      title={step === 'list' ? 'Claim keys' : isShown ? 'New claim key' : 'Create claim key'}
      closeOnClickOutside={step === 'list'}
    >
      {step === 'list' && <Keys onMake={() => setStep('make')} />}
      {step === 'make' && (
        <ClaimKeyForm onMade={(key, name) => setStep({ key, name })} onCancel={() => setStep('list')} />
      )}
      {isShown && (
        <Stack gap="md">
          <p className="claim-done">The claim key “{step.name}”:</p>
          <div className="claim-key-secret">
            <code>{step.key}</code>
            <CopyButton name="claim key" text={step.key} />
          </div>
          <FormNote kind="info" text={claimMessages.keyShownOnce} />
          <Button onClick={() => setStep('list')}>I have copied it</Button>
        </Stack>
      )}
    </Modal>
  )
}

function Keys({ onMake }: { readonly onMake: () => void }) {
  const keys = useCall(listClaimKeys, {})
  return (
    <Stack gap="md">
      <AsyncView query={keys} empty={<EmptyNote title="There are no claim keys" />}>
        {(list) => (
          <ul className="record-list">
            {list.map((key) => (
              <KeyRow key={key.id} claimKey={key} />
            ))}
          </ul>
        )}
      </AsyncView>
      <ActionButton icon={IconPlus} isMain onClick={onMake}>
        Create claim key
      </ActionButton>
    </Stack>
  )
}

const STATES = { usable: undefined, expired: 'Expired', full: 'Used up' } as const

function KeyRow({ claimKey }: { readonly claimKey: ClaimKey }) {
  const { id, name, beginning, customerName, mostDevices, usedBy, expires, state } = claimKey
  const { confirm, isBusy } = useConfirmedChange(endClaimKey)
  const end = () =>
    confirm(
      { body: { id } },
      {
        ...{ title: 'End claim key', text: claimMessages.confirmEndKey(name), isDangerous: true },
        done: claimMessages.keyEnded(name),
      },
    )
  return (
    <RecordItem
      icon={IconKey}
      iconName="Claim key"
      name={
        <>
          {name} <code>{beginning}…</code>
          {STATES[state] && <Badge tone="off">{STATES[state]}</Badge>}
        </>
      }
      more={[
        customerName || 'Accepted by staff',
        `${formatNumber(usedBy)} of ${formatNumber(mostDevices)} devices · until ${formatMinute(expires)}`,
      ]}
    >
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`End ${name}`}
        loading={isBusy}
        onClick={() => void end()}
      >
        End
      </Button>
    </RecordItem>
  )
}
