import { Select, TextInput } from '@mantine/core'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { type LightStatement, setStatementTerms } from '#contract/http/insight/lightStatements.ts'
import type { UnknownCounts } from '#domain/statement/lightFigures.ts'
import { readTermsText, termsText } from './termsText.ts'

interface Props {
  readonly statement: LightStatement
  readonly onClose: () => void
}

const COUNTS: readonly { readonly value: UnknownCounts; readonly label: string }[] = [
  { value: 'leftOut', label: 'Leave it out' },
  { value: 'asDark', label: 'Count it as dark' },
]

/** It sets what is agreed with the customer. Statements that were issued keep what held then. */
export function TermsModal({ statement: { customerId, customerName, terms }, onClose }: Props) {
  const { field, submit, isBusy } = useCallForm(setStatementTerms, {
    labels: {
      ...{ target: 'Target (%)', unknownCounts: 'Unknown time', currency: 'Currency' },
      ...{ fee: 'Monthly fee of a device', steps: 'Credits' },
    },
    initial: termsText(terms),
    content: (values) => ({ customerId, terms: readTermsText(values) }),
    saved: 'Target and credits saved',
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Target and credits of ${customerName}`}
      size={440}
      onSubmit={submit}
      isBusy={isBusy}
      onClose={onClose}
    >
      <TextInput
        {...field('target')}
        inputMode="decimal"
        description="Such as 99.50. Empty: nothing is agreed"
        data-autofocus
      />
      <Select
        {...field('unknownCounts')}
        data={COUNTS}
        allowDeselect={false}
        description="How it counts for availability. It is never counted as light"
      />
      <TextInput {...field('currency')} description="Such as EUR. Empty: no credits" />
      <TextInput {...field('fee')} inputMode="decimal" description="Such as 120.00" />
      <TextInput {...field('steps')} description="Availability below: share of the fee. Such as 99.00: 10, 95.00: 50" />
    </FormModal>
  )
}
