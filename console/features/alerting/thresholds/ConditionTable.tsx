import { IconArrowsSplit2, IconBellOff, IconPencil, IconTrash } from '@tabler/icons-react'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { DataTable } from '#console/ui/table/DataTable.tsx'
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
  const menu = buttonColumn('More', 44, (condition: AlertCondition) => (
    <ConditionMenu condition={condition} conditions={conditions} isEditable={isEditable(condition)} {...known} />
  ))
  return (
    <DataTable
      label="Conditions"
      columns={[...conditionColumns(known), menu]}
      rows={conditions}
      rowKey={({ id }) => id}
      onOpen={(condition) => {
        if (isEditable(condition)) onEdit(condition)
      }}
      rowAttributes={(condition) => ({
        'data-replaced': isReplaced(condition) || undefined,
        'data-off': condition.isOff || undefined,
      })}
      minWidthPx={1290}
      stacked={stackedCondition(known)}
    />
  )
}

interface MenuProps extends ConditionActions, Pick<ConditionSight, 'owner'> {
  readonly condition: AlertCondition
  readonly conditions: readonly AlertCondition[]
  readonly isEditable: boolean
}

function ConditionMenu({ condition, conditions, isEditable, owner, ...actions }: MenuProps) {
  const { id, overridesId, deviceId, isOff } = condition
  const isOverridden = owner && conditions.some((one) => one.overridesId === id && isSameOwner(one, owner))
  const mayReplace = owner && !isOverridden && mayOverride(condition, owner)
  const mayReplaceFor = overridesId === null && deviceId === null && !mayReplace && !isOverridden && !isOff
  const mayRemove = actions.mayEdit(condition)
  if (!isEditable && !mayReplace && !mayReplaceFor && !mayRemove) return null
  return (
    <MoreMenu of={condition.conditionText} isInRow>
      {isEditable && (
        <MenuItem icon={IconPencil} onClick={() => actions.onEdit(condition)}>
          Edit
        </MenuItem>
      )}
      {mayReplace && (
        <>
          <MenuItem icon={IconArrowsSplit2} onClick={() => actions.onOverride(condition)}>
            Override here
          </MenuItem>
          <MenuItem icon={IconBellOff} onClick={() => actions.onSwitchOff(condition)}>
            Switch off here
          </MenuItem>
        </>
      )}
      {mayReplaceFor && (
        <MenuItem icon={IconArrowsSplit2} onClick={() => actions.onOverrideFor(condition)}>
          Override for
        </MenuItem>
      )}
      {mayRemove && (
        <MenuItem icon={IconTrash} onClick={() => actions.onRemove(condition)}>
          {overridesId === null ? 'Remove' : 'Remove override'}
        </MenuItem>
      )}
    </MoreMenu>
  )
}
