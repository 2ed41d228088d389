import {
  IconAlertTriangle,
  IconArrowMerge,
  IconArrowsSplit2,
  IconBellRinging,
  IconCircleCheck,
  IconCircleDashed,
  IconNote,
  IconUserCheck,
  IconZzz,
} from '@tabler/icons-react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { HistoryEntry, type HistoryKind } from '#console/alertParts/HistoryEntry.tsx'
import { formatMinute } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import type { IncidentDetails, IncidentEntry } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const KINDS: Readonly<Record<IncidentEntry['kind'], HistoryKind>> = {
  raised: { words: 'Raised', icon: IconAlertTriangle, tone: 'crit' },
  over: { words: 'Resolved', icon: IconCircleDashed, tone: 'off' },
  closed: { words: 'Closed', icon: IconCircleCheck, tone: 'ok' },
  acknowledged: { words: 'Acknowledged', icon: IconUserCheck, tone: 'brand' },
  noted: { words: 'Note', icon: IconNote, tone: 'brand' },
  snoozed: { words: 'Snoozed', icon: IconZzz, tone: 'pending' },
  woken: { words: 'Snooze ended', icon: IconBellRinging, tone: 'pending' },
  merged: { words: 'Merged', icon: IconArrowMerge, tone: 'brand' },
  split: { words: 'Split', icon: IconArrowsSplit2, tone: 'brand' },
}

export function IncidentTimeline({ incident: { entries, olderEntries } }: { readonly incident: IncidentDetails }) {
  const lines = entries.map((entry, place) => ({ entry, place })).toReversed()
  return (
    <>
      <ol className="alert-history incident-history">
        {lines.map(({ entry, place }) => (
          <EntryLine key={place} entry={entry} />
        ))}
      </ol>
      {olderEntries > 0 && (
        <p className="alert-none">
          {olderEntries === 1 ? 'One older entry is' : `${formatNumber(olderEntries)} older entries are`} not shown.
        </p>
      )}
    </>
  )
}

function EntryLine({ entry }: { readonly entry: IncidentEntry }) {
  const { kind, at, text, count, username, isCause } = entry
  return (
    <HistoryEntry kind={KINDS[kind]} more={count > 1 && <b>× {formatNumber(count)}</b>} at={at}>
      {isCause && <span className="incident-mark">root cause</span>}
      {username !== '' && <span className="dim">by {username}</span>}
      {entry.alertId !== null && <AlertLabel entry={entry} />}
      {entry.alertId === null && text !== '' && <p className="alert-words">{actionText(entry)}</p>}
    </HistoryEntry>
  )
}

const actionText = ({ kind, text }: IncidentEntry) => (kind === 'snoozed' ? `until ${formatMinute(text)}` : text)

function AlertLabel({ entry: { alertId, text, count, deviceName } }: { readonly entry: IncidentEntry }) {
  if (alertId === null) return null
  const more = count > 1 ? ` and ${formatNumber(count - 1)} more` : ''
  return (
    <p className="alert-words">
      <Link to={alertDetails(alertId)}>{text}</Link>
      <span className="dim">
        {' '}
        {deviceName}
        {more}
      </span>
    </p>
  )
}
