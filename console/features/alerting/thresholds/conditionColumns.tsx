import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import type { Column, StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { ALERT_ACTIONS, ALERT_PERIODS, nameOf } from '#domain/alerts/alertLabels.ts'
import { limitText } from '#domain/alerts/alertLimit.ts'
import { isClockKind } from '#domain/alerts/conditionKinds.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { type ConditionOwner, countOfDevices, ownerText } from './condition/conditionOwner.ts'

export interface ConditionSight {
  readonly owner: ConditionOwner | undefined
  readonly noteOf: (condition: AlertCondition) => string | undefined
  readonly onShowOverrides: (condition: AlertCondition) => void
}

export const conditionColumns = (sight: ConditionSight): readonly Column<AlertCondition>[] => [
  {
    id: 'condition',
    header: 'Condition',
    isStrong: true,
    cell: (condition) => <ConditionCell condition={condition} note={sight.noteOf(condition)} />,
    title: ({ conditionText }) => conditionText,
  },
  textColumn('limit', 'Limit', limitOf, { widthPx: 170 }),
  textColumn('for', 'For', lastingOf, { widthPx: 100 }),
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 112,
    cell: ({ severityId }) => <SeverityBadge severityId={severityId} />,
  },
  textColumn('owner', 'Of', (condition) => ownerText(condition, sight.owner), { widthPx: 170, isDim: true }),
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 150,
    leaves: 2,
    cell: (condition) => <DeviceCounts condition={condition} onShowOverrides={sight.onShowOverrides} />,
  },
  textColumn('action', 'Action', ({ actionTypeId }) => nameOf(ALERT_ACTIONS, actionTypeId), {
    widthPx: 140,
    leaves: 1,
    isDim: true,
  }),
]

export const stackedCondition = (sight: ConditionSight): StackedCell<AlertCondition> => ({
  header: 'Condition',
  cell: (condition) => (
    <>
      <SeverityBadge severityId={condition.severityId} />
      <b>
        <ConditionCell condition={condition} note={sight.noteOf(condition)} />
      </b>
      <span className="is-dim">
        {lastingOf(condition)} · {nameOf(ALERT_ACTIONS, condition.actionTypeId)}
      </span>
      <span className="is-dim">
        {ownerText(condition, sight.owner)} ·{' '}
        <DeviceCounts condition={condition} onShowOverrides={sight.onShowOverrides} />
      </span>
    </>
  ),
})

interface CellProps {
  readonly condition: AlertCondition
  readonly note: string | undefined
}

/** The condition's own words stand beneath its title. */
const ConditionCell = ({ condition: { isOff, shownTitle, conditionText }, note }: CellProps) => (
  <>
    <span className="condition-words">{isOff ? `Off: ${shownTitle}` : shownTitle}</span>
    <Note text={conditionText === shownTitle ? undefined : conditionText} />
    <Note text={note} />
  </>
)

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

const minutesText = (minutes: number | null) => (minutes === 1 ? '1 minute' : `${minutes ?? UNKNOWN_TEXT} minutes`)

function limitOf({ kind, isOff, eventTypeFieldId: fieldId, operatorCode, ...values }: AlertCondition): string {
  if (isOff) return 'Switched off'
  // These wait, so that their limit is a time.
  if (kind === 'absent' || isClockKind(kind)) return UNKNOWN_TEXT
  const { valueDec, valueText, conditionText } = values
  if (kind === 'change')
    return limitText({ kind: 'level', fieldId, operatorCode, threshold: valueDec ?? '', conditionText })
  const lasting = ALERT_PERIODS.find(({ id, minutes }) => minutes > 0 && id === values.periodId)
  const words = lasting ? conditionText.replace(` for ${lasting.name}`, '') : conditionText
  return limitText({ kind, fieldId, operatorCode, threshold: valueDec ?? valueText ?? '', conditionText: words })
}

function lastingOf({ kind, minutes, periodId, isOff }: AlertCondition): string {
  if (isOff) return UNKNOWN_TEXT
  if (kind === 'change') return `within ${minutesText(minutes)}`
  return minutes === null ? nameOf(ALERT_PERIODS, periodId) : minutesText(minutes)
}
