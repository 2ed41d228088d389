import { Modal } from '@mantine/core'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useCall, useChange } from '#console/lib/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import {
  type AlertCondition,
  listAlertConditions,
  listConditionFields,
  setAlertCondition,
} from '#contract/http/alertConditions.ts'
import { ConditionForm } from './ConditionForm.tsx'
import type { ConditionOwner } from './thresholdsAddress.ts'

interface Props {
  readonly owner: ConditionOwner
  /** undefined: a new one. */
  readonly condition: AlertCondition | undefined
  readonly onClose: () => void
}

/** "Add/edit alert condition" with what it would have done beside it. */
export function ConditionModal({ owner, condition, onClose }: Props) {
  const fields = useCall(listConditionFields, owner)
  const save = useChange(setAlertCondition, {
    refreshes: [listAlertConditions],
    onDone: () => {
      toasts.success(messages.conditionSaved)
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={condition ? 'Edit condition' : 'Add condition'} size={1000}>
      <AsyncView query={fields}>
        {(offered) => (
          <ConditionForm
            owner={owner}
            fields={offered}
            condition={condition}
            isBusy={save.isPending}
            onSubmit={(body) => save.mutate({ body })}
            onCancel={onClose}
          />
        )}
      </AsyncView>
    </Modal>
  )
}
