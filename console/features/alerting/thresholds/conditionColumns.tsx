import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import type { Column, StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { ALERT_ACTION, ALERT_ACTIONS, ALERT_PERIODS, nameOf } from '#domain/alerts/alertLabels.ts'
import { limitText } from '#domain/alerts/alertLimit.ts'
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
    hasNoPage: true,
    cell: (condition) => <ConditionCell condition={condition} note={sight.noteOf(condition)} />,
    title: ({ conditionText }) => conditionText,
  },
  textColumn('limit', 'Limit', limitOf, { widthPx: 120 }),
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
    widthPx: 180,
    leaves: 1,
    cell: (condition) => <DeviceCounts condition={condition} onShowOverrides={sight.onShowOverrides} />,
  },
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
        {[limitOf(condition), lastingOf(condition)].filter((text) => text !== UNKNOWN_TEXT).join(' · ')}
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
const ConditionCell = ({ condition: { isOff, shownTitle, conditionText, actionTypeId }, note }: CellProps) => (
  <>
    <span className="condition-words">{isOff ? `Off: ${shownTitle}` : shownTitle}</span>
    <Note text={conditionText === shownTitle ? undefined : conditionText} />
    <Note text={actionTypeId === ALERT_ACTION.none ? nameOf(ALERT_ACTIONS, actionTypeId) : undefined} />
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

/** A state, a pair and what waits have no limit beside their title: it is in the words beneath. */
function limitOf({ kind, isOff, eventTypeFieldId: fieldId, operatorCode, valueDec, conditionText }: AlertCondition) {
  if (isOff) return 'Switched off'
  if (valueDec === null || (kind !== 'level' && kind !== 'change')) return UNKNOWN_TEXT
  return limitText({ kind: 'level', fieldId, operatorCode, threshold: valueDec, conditionText })
}

function lastingOf({ kind, minutes, periodId, isOff }: AlertCondition): string {
  if (isOff) return UNKNOWN_TEXT
  if (kind === 'change') return `within ${minutesText(minutes)}`
  return minutes === null ? nameOf(ALERT_PERIODS, periodId) : minutesText(minutes)
}
