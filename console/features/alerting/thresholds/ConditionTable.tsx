import { IconArrowsSplit2, IconBellOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { isSameOwner, mayOverride } from './condition/conditionOwner.ts'
import { type ConditionSight, conditionColumns, stackedCondition } from './conditionColumns.tsx'

export interface ConditionActions {
  /** Everybody sees the conditions of all devices, but only staff edit them. */
  readonly mayEdit: (condition: AlertCondition) => boolean
  readonly onEdit: (condition: AlertCondition) => void
  readonly onRemove: (condition: AlertCondition) => void
  readonly onOverride: (condition: AlertCondition) => void
  readonly onOverrideFor: (condition: AlertCondition) => void
  readonly onSwitchOff: (condition: AlertCondition) => void
}

interface Props extends ConditionSight, ConditionActions {
  readonly conditions: readonly AlertCondition[]
  readonly isReplaced: (condition: AlertCondition) => boolean
}

export function ConditionTable({ conditions, isReplaced, ...known }: Props) {
  const { mayEdit, onEdit } = known
  // A condition that is switched off cannot be edited: removing it makes the wider one count again.
  const isEditable = (condition: AlertCondition) => mayEdit(condition) && !condition.isOff
  const buttons = buttonColumn('Edit, override and remove', 134, (condition: AlertCondition) => (
    <Buttons condition={condition} conditions={conditions} isEditable={isEditable(condition)} {...known} />
  ))
  return (
    <DataTable
      label="Conditions"
      columns={[...conditionColumns(known), buttons]}
      rows={conditions}
      rowKey={({ id }) => id}
      onOpen={(condition) => {
        if (isEditable(condition)) onEdit(condition)
      }}
      rowAttributes={(condition) => ({
        'data-replaced': isReplaced(condition) || undefined,
        'data-off': condition.isOff || undefined,
      })}
      minWidthPx={1484}
      stacked={stackedCondition(known)}
    />
  )
}

interface ButtonsProps extends ConditionActions, Pick<ConditionSight, 'owner'> {
  readonly condition: AlertCondition
  readonly conditions: readonly AlertCondition[]
  readonly isEditable: boolean
}

function Buttons({ condition, conditions, isEditable, owner, ...actionIds }: ButtonsProps) {
  const { id, conditionText: of } = condition
  const isOverridden = owner && conditions.some((one) => one.overridesId === id && isSameOwner(one, owner))
  const mayReplace = owner && !isOverridden && mayOverride(condition, owner)
  const isWide = condition.overridesId === null && condition.deviceId === null
  const removal = condition.overridesId === null ? 'Remove' : 'Remove override'
  return (
    <span className="condition-buttons">
      {mayReplace && (
        <>
          <RowButton
            name="Override here"
            of={of}
            icon={IconArrowsSplit2}
            onClick={() => actionIds.onOverride(condition)}
          />
          <RowButton
            name="Switch off here"
            of={of}
            icon={IconBellOff}
            onClick={() => actionIds.onSwitchOff(condition)}
          />
        </>
      )}
      {isWide && !mayReplace && !isOverridden && !condition.isOff && (
        <RowButton
          name="Override for"
          of={of}
          icon={IconArrowsSplit2}
          onClick={() => actionIds.onOverrideFor(condition)}
        />
      )}
      {isEditable && <RowButton name="Edit" of={of} icon={IconPencil} onClick={() => actionIds.onEdit(condition)} />}
      {actionIds.mayEdit(condition) && (
        <RowButton name={removal} of={of} icon={IconTrash} onClick={() => actionIds.onRemove(condition)} />
      )}
    </span>
  )
}
