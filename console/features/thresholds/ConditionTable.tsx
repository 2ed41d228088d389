import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { AlertCondition } from '#contract/http/alertConditions.ts'
import { ALERT_ACTIONS, ALERT_PERIODS, nameOf } from '#domain/alerts/alertWords.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import { groupTitle, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly conditions: readonly AlertCondition[]
  /** Conditions of a whole model are shown to everybody and edited by staff. */
  readonly mayEdit: (condition: AlertCondition) => boolean
  readonly onEdit: (condition: AlertCondition) => void
  readonly onRemove: (condition: AlertCondition) => void
}

const COLUMNS: readonly Column<AlertCondition>[] = [
  { id: 'group', header: 'Field group', widthPx: 130, leaves: 1, isDim: true, cell: groupName, title: groupName },
  {
    id: 'field',
    header: 'Field',
    isStrong: true,
    cell: ({ fieldName }) => fieldName,
    title: ({ fieldName }) => fieldName,
  },
  { id: 'operator', header: 'Operator', widthPx: 170, cell: ({ operatorName }) => operatorName },
  { id: 'value', header: 'Value', widthPx: 150, isRight: true, cell: valueText, title: valueText },
  { id: 'period', header: 'Period', widthPx: 104, cell: ({ periodId }) => nameOf(ALERT_PERIODS, periodId) },
  {
    id: 'action',
    header: 'Action',
    widthPx: 140,
    leaves: 3,
    cell: ({ actionTypeId }) => nameOf(ALERT_ACTIONS, actionTypeId),
  },
  { id: 'owner', header: 'Of', widthPx: 180, leaves: 2, isDim: true, cell: ownerText, title: ownerText },
]

const STACKED: StackedCell<AlertCondition> = {
  header: 'Condition',
  cell: (condition) => (
    <>
      <b>{condition.conditionText}</b>
      <span className="is-dim">
        {nameOf(ALERT_PERIODS, condition.periodId)} · {nameOf(ALERT_ACTIONS, condition.actionTypeId)}
      </span>
      <span className="is-dim">{ownerText(condition)}</span>
    </>
  ),
}

export function ConditionTable({ conditions, mayEdit, onEdit, onRemove }: Props) {
  const buttons: Column<AlertCondition> = {
    id: 'buttons',
    header: 'Edit and remove',
    hidesHeader: true,
    staysWhenStacked: true,
    widthPx: 84,
    isRight: true,
    cell: (condition) =>
      mayEdit(condition) && (
        <span className="condition-buttons">
          <RowButton name="Edit" condition={condition} onClick={onEdit} icon={<IconPencil size={16} aria-hidden />} />
          <RowButton
            name="Remove"
            condition={condition}
            onClick={onRemove}
            icon={<IconTrash size={16} aria-hidden />}
          />
        </span>
      ),
  }
  return (
    <DataTable
      label="Conditions"
      columns={[...COLUMNS, buttons]}
      rows={conditions}
      rowKey={({ id }) => id}
      onOpen={(condition) => {
        if (mayEdit(condition)) onEdit(condition)
      }}
      minWidthPx={1080}
      stacked={STACKED}
    />
  )
}

interface RowButtonProps {
  readonly name: string
  readonly condition: AlertCondition
  readonly onClick: (condition: AlertCondition) => void
  readonly icon: React.ReactNode
}

function RowButton({ name, condition, onClick, icon }: RowButtonProps) {
  return (
    <Tooltip label={name}>
      <ActionIcon size={26} aria-label={`${name} ${condition.conditionText}`} onClick={() => onClick(condition)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

function groupName({ eventTypeFieldId, fieldGroupId }: AlertCondition): string {
  const name = numberedFieldById(eventTypeFieldId)?.groupName ?? eventTypeById(fieldGroupId)?.group
  return groupTitle(name ?? `Field group ${fieldGroupId}`)
}

function valueText({ eventTypeFieldId, valueDec, valueText: text }: AlertCondition): string {
  if (valueDec === null) return text ?? UNKNOWN_TEXT
  const unit = numberedFieldById(eventTypeFieldId)?.field.unit
  return unit ? `${valueDec} ${unit}` : String(valueDec)
}

function ownerText({ modelId }: AlertCondition): string {
  return modelId === null ? 'This device' : `Model ${deviceModelName(modelId)}`
}
