import {
  IconArrowMerge,
  IconArrowsSplit2,
  IconBell,
  IconBellOff,
  IconBellRinging,
  IconCircleCheck,
  IconCircleDashed,
  IconHourglass,
  IconNote,
  IconUserCheck,
  IconZzz,
} from '@tabler/icons-react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { HistoryEntry, type HistoryKind } from '#console/alertParts/HistoryEntry.tsx'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import { severityIcon, severityTone } from '#console/ui/severityLook.ts'
import { type IncidentNotice, listIncidentNotices } from '#contract/http/alerting/incidentNotices.ts'
import type { IncidentAlert, IncidentDetails, IncidentEntry } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'

const KINDS: Readonly<Record<Exclude<IncidentEntry['kind'], 'raised'>, HistoryKind>> = {
  over: { words: 'Resolved', icon: IconCircleDashed, tone: 'off' },
  closed: { words: 'Closed', icon: IconCircleCheck, tone: 'ok' },
  acknowledged: { words: 'Acknowledged', icon: IconUserCheck, tone: 'brand' },
  noted: { words: 'Note', icon: IconNote, tone: 'brand' },
  snoozed: { words: 'Snoozed', icon: IconZzz, tone: 'pending' },
  woken: { words: 'Snooze ended', icon: IconBellRinging, tone: 'pending' },
  merged: { words: 'Merged', icon: IconArrowMerge, tone: 'brand' },
  split: { words: 'Split', icon: IconArrowsSplit2, tone: 'brand' },
}
const OUTCOMES: Readonly<Record<IncidentNotice['outcome'], HistoryKind>> = {
  told: { words: 'Notified', icon: IconBell, tone: 'brand' },
  waits: { words: 'Waiting', icon: IconHourglass, tone: 'pending' },
  not: { words: 'Not notified', icon: IconBellOff, tone: 'off' },
}
const BY = { channel: 'The channel', mail: 'Alert e-mails' } as const

interface Props {
  readonly incident: IncidentDetails
  readonly alerts: readonly IncidentAlert[]
}

type Line = { readonly key: string; readonly at: string } & (
  | { readonly entry: IncidentEntry }
  | { readonly notice: IncidentNotice }
)

/** Events and deliveries stand in one list, the newest first, because one explains the other. */
export function IncidentTimeline({ incident, alerts }: Props) {
  const { id, entries, olderEntries } = incident
  const notices = useCall(listIncidentNotices, { id }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const lines = linesOf(entries, notices.data ?? [])
  return (
    <>
      <ol className="alert-history incident-history">
        {lines.map((line) =>
          'entry' in line ? (
            <EntryLine key={line.key} entry={line.entry} severityId={severityOf(line.entry, incident, alerts)} />
          ) : (
            <NoticeLine key={line.key} notice={line.notice} />
          ),
        )}
      </ol>
      {notices.isError && <p className="alert-none">Deliveries could not be loaded.</p>}
      {olderEntries > 0 && (
        <p className="alert-none">
          {olderEntries === 1 ? 'One older entry is' : `${formatNumber(olderEntries)} older entries are`} not shown.
        </p>
      )}
    </>
  )
}

/** Both come oldest first; of two at one moment the later in its list is the newer. */
function linesOf(entries: readonly IncidentEntry[], notices: readonly IncidentNotice[]): readonly Line[] {
  const lines: readonly Line[] = [
    ...entries.map((entry, place) => ({ key: `entry ${place}`, at: entry.at, entry })),
    ...notices.map((notice, place) => ({ key: `notice ${place}`, at: notice.at, notice })),
  ]
  return lines.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).toReversed()
}

/** The list of alerts is paged, so an alert of another page has the severity of its incident. */
const severityOf = ({ alertId }: IncidentEntry, incident: IncidentDetails, alerts: readonly IncidentAlert[]): number =>
  alerts.find((alert) => alert.alertId === alertId)?.severityId ?? incident.severityId

interface EntryProps {
  readonly entry: IncidentEntry
  readonly severityId: number
}

function EntryLine({ entry, severityId }: EntryProps) {
  const { kind, at, text, count, username, isCause } = entry
  const raised: HistoryKind = { words: 'Raised', icon: severityIcon(severityId, false), tone: severityTone(severityId) }
  return (
    <HistoryEntry
      kind={kind === 'raised' ? raised : KINDS[kind]}
      more={count > 1 && <b>× {formatNumber(count)}</b>}
      at={at}
    >
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

function NoticeLine({ notice }: { readonly notice: IncidentNotice }) {
  const { at, outcome, target, by, routeName, reason, until } = notice
  return (
    <HistoryEntry kind={OUTCOMES[outcome]} at={at}>
      <p className="alert-words">
        {target !== '' && <b>{target}: </b>}
        {reason}
        {until === null ? '' : ` Until ${formatDateTime(until)}.`}{' '}
        <span className="dim">{by === 'route' ? `Route ${routeName}` : BY[by]}</span>
      </p>
    </HistoryEntry>
  )
}
