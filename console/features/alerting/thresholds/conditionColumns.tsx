import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import type { Column, StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { ALERT_ACTIONS, ALERT_PERIODS, nameOf } from '#domain/alerts/alertLabels.ts'
import { CONDITION_KINDS } from '#domain/alerts/conditionKinds.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import { EVERY_NUMBER, groupTitle, watchedFieldById } from '#domain/catalogue/fieldId.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { type ConditionOwner, countOfDevices, ownerText } from './condition/conditionOwner.ts'

export interface ConditionSight {
  readonly owner: ConditionOwner | undefined
  readonly noteOf: (condition: AlertCondition) => string | undefined
  readonly onShowOverrides: (condition: AlertCondition) => void
}

export const conditionColumns = (sight: ConditionSight): readonly Column<AlertCondition>[] => [
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 112,
    cell: ({ severityId }) => <SeverityBadge severityId={severityId} />,
  },
  textColumn('group', 'Field group', groupName, { widthPx: 124, leaves: 1, isDim: true }),
  {
    id: 'field',
    header: 'Field',
    isStrong: true,
    hasNoPage: true,
    cell: (condition) => <FieldCell condition={condition} note={sight.noteOf(condition)} />,
    title: ({ conditionText }) => conditionText,
  },
  textColumn('operator', 'Operator', operatorText, { widthPx: 150 }),
  textColumn('value', 'Value', valueText, { widthPx: 118, isRight: true }),
  { id: 'period', header: 'Period', widthPx: 96, leaves: 3, cell: ({ periodId }) => nameOf(ALERT_PERIODS, periodId) },
  {
    id: 'action',
    header: 'Action',
    widthPx: 130,
    leaves: 2,
    cell: ({ actionTypeId }) => nameOf(ALERT_ACTIONS, actionTypeId),
  },
  textColumn('owner', 'Of', (condition) => ownerText(condition, sight.owner), { widthPx: 170, isDim: true }),
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 150,
    leaves: 4,
    cell: (condition) => <DeviceCounts condition={condition} onShowOverrides={sight.onShowOverrides} />,
  },
]

export const stackedCondition = (sight: ConditionSight): StackedCell<AlertCondition> => ({
  header: 'Condition',
  cell: (condition) => (
    <>
      <SeverityBadge severityId={condition.severityId} />
      <b className="condition-words">{wordsOf(condition)}</b>
      <Note text={sight.noteOf(condition)} />
      <span className="is-dim">
        {nameOf(ALERT_PERIODS, condition.periodId)} · {nameOf(ALERT_ACTIONS, condition.actionTypeId)}
      </span>
      <span className="is-dim">
        {ownerText(condition, sight.owner)} ·{' '}
        <DeviceCounts condition={condition} onShowOverrides={sight.onShowOverrides} />
      </span>
    </>
  ),
})

const wordsOf = ({ isOff, conditionText }: AlertCondition) => (isOff ? `Off: ${conditionText}` : conditionText)

function FieldCell({ condition, note }: { readonly condition: AlertCondition; readonly note: string | undefined }) {
  const isWhole = condition.kind === 'level' && !condition.isOff
  return (
    <>
      <span className="condition-words">{isWhole ? fieldName(condition) : wordsOf(condition)}</span>
      <Note text={isWhole ? clearText(condition) : undefined} />
      <Note text={note} />
    </>
  )
}

function fieldName({ eventTypeFieldId, fieldName: name }: AlertCondition): string {
  const field = watchedFieldById(eventTypeFieldId)
  return field?.number === EVERY_NUMBER ? `${groupTitle(field.groupName)}: ${name}` : name
}

const Note = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : <span className="condition-place-note">{text}</span>

interface DeviceCountsProps {
  readonly condition: AlertCondition
  readonly onShowOverrides: (condition: AlertCondition) => void
}

function DeviceCounts({ condition, onShowOverrides }: DeviceCountsProps) {
  const { deviceCount, overriddenCount, conditionText } = condition
  if (overriddenCount === 0) return <>{countOfDevices(deviceCount)}</>
  return (
    <>
      {countOfDevices(deviceCount)},{' '}
      <button
        type="button"
        className="condition-differ"
        aria-label={`${differText(overriddenCount)} of ${conditionText}`}
        onClick={() => onShowOverrides(condition)}
      >
        {differText(overriddenCount)}
      </button>
    </>
  )
}

const differText = (count: number) => (count === 1 ? '1 override' : `${count} overrides`)

function operatorText({ kind, operatorName, isOff }: AlertCondition): string {
  if (isOff) return 'Switched off'
  return kind === 'level' ? operatorName : (CONDITION_KINDS.find((one) => one.kind === kind)?.name ?? UNKNOWN_TEXT)
}

function groupName({ eventTypeFieldId, fieldGroupId }: AlertCondition): string {
  const name = watchedFieldById(eventTypeFieldId)?.groupName ?? eventTypeById(fieldGroupId)?.group
  return name === undefined && fieldGroupId === 0 ? 'Device' : groupTitle(name ?? `Field group ${fieldGroupId}`)
}

function valueText({ kind, eventTypeFieldId, valueDec, valueText: text, minutes }: AlertCondition): string {
  if (minutes !== null && kind !== 'change') return minutes === 1 ? '1 minute' : `${minutes} minutes`
  // The sentence of a pair already names both fields.
  if (kind === 'pair') return ''
  if (valueDec === null) return text ?? UNKNOWN_TEXT
  return withUnit(valueDec, eventTypeFieldId)
}

function withUnit(value: number, fieldId: AlertCondition['eventTypeFieldId']): string {
  const unit = watchedFieldById(fieldId)?.field.unit
  return unit ? `${value} ${unit}` : String(value)
}

function clearText({ clearDec, operatorCode, eventTypeFieldId }: AlertCondition): string | undefined {
  if (clearDec === null) return undefined
  return `cleared ${operatorCode.startsWith('LT') ? 'above' : 'below'} ${withUnit(clearDec, eventTypeFieldId)}`
}
