import { Modal } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { type AlertCondition, listConditionFields } from '#contract/http/alerting/thresholds.ts'
import type { SuggestedCondition } from '#domain/alerts/suggestedConditions.ts'
import { watchedFieldById } from '#domain/catalogue/fieldId.ts'
import { ConditionForm } from './ConditionForm.tsx'
import { type ConditionOwner, fieldsAskedOf } from './condition/conditionOwner.ts'
import type { ConditionField } from './condition/conditionValues.ts'

interface Props {
  readonly owner: ConditionOwner
  readonly condition: AlertCondition | undefined
  readonly overridden?: AlertCondition | undefined
  readonly suggested?: SuggestedCondition | undefined
  readonly onClose: () => void
}

/** The form of a condition stands beside a preview of what it would have raised. */
export function ConditionModal({ owner, condition, overridden, suggested, onClose }: Props) {
  const fields = useCall(listConditionFields, fieldsAskedOf(owner))
  const begun = condition ?? overridden
  return (
    <Modal opened onClose={onClose} title={titleOf(condition, overridden)} size={1000}>
      <AsyncView query={fields}>
        {(offered) => (
          <ConditionForm
            owner={owner}
            fields={withThoseOf(begun, offered)}
            condition={condition}
            overridden={overridden}
            suggested={suggested}
            onClose={onClose}
          />
        )}
      </AsyncView>
    </Modal>
  )
}

function titleOf(condition: AlertCondition | undefined, overridden: AlertCondition | undefined): string {
  if (overridden) return 'Override condition'
  if (!condition) return 'Add condition'
  return condition.overridesId === null ? 'Edit condition' : 'Edit override'
}

function withThoseOf(begun: AlertCondition | undefined, offered: readonly ConditionField[]): readonly ConditionField[] {
  const missing = [begun?.eventTypeFieldId, begun?.secondFieldId]
    .filter((id) => id != null && !offered.some((field) => field.id === id))
    .flatMap((id) => watchedFieldById(id as never) ?? [])
    .map(({ id, name, wireName, type, groupName, field }) => ({
      id,
      name,
      dbName: wireName,
      attTypeId: field.attributeTypeId,
      groupId: type.id,
      groupName,
      unit: field.unit ?? null,
    }))
  return missing.length === 0 ? offered : [...offered, ...missing]
}
