import { Modal } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { type AlertCondition, listConditionFields } from '#contract/http/alertConditions.ts'
import { ConditionForm } from './ConditionForm.tsx'
import type { ConditionOwner } from './useThresholdsAddress.ts'

interface Props {
  readonly owner: ConditionOwner
  /** undefined: a new one. */
  readonly condition: AlertCondition | undefined
  readonly onClose: () => void
}

/** "Add/edit alert condition" with what it would have done beside it. */
export function ConditionModal({ owner, condition, onClose }: Props) {
  const fields = useCall(listConditionFields, owner)
  return (
    <Modal opened onClose={onClose} title={condition ? 'Edit condition' : 'Add condition'} size={1000}>
      <AsyncView query={fields}>
        {(offered) => <ConditionForm owner={owner} fields={offered} condition={condition} onClose={onClose} />}
      </AsyncView>
    </Modal>
  )
}
