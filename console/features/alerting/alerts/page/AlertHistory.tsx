import { Button } from '@mantine/core'
import {
  IconCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleFilled,
  IconClockEdit,
  IconEyeOff,
  IconUserCheck,
} from '@tabler/icons-react'
import { useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { type AlertPast, chosenOccurrence } from '#console/alertParts/chart/useAlertPast.ts'
import { HistoryEntry, type HistoryKind } from '#console/alertParts/HistoryEntry.tsx'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import { Badge } from '#console/ui/Badge.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import type { Occurrence } from '#domain/alerts/fold/occurrences.ts'

type Entry = AlertDetails['history'][number]

const KINDS: Readonly<Record<Entry['kind'], HistoryKind>> = {
  opened: { words: 'Opened', icon: IconCircle, tone: 'off' },
  active: { words: 'Raised again', icon: IconCircle, tone: 'off' },
  notActive: { words: 'Cleared', icon: IconCircleDashed, tone: 'off' },
  acknowledged: { words: 'Acknowledged', icon: IconUserCheck, tone: 'brand' },
  closed: { words: 'Closed', icon: IconCircleCheck, tone: 'ok' },
  moved: { words: 'Recalculated from late readings', icon: IconClockEdit, tone: 'pending' },
  withdrawn: { words: 'Withdrawn by late readings', icon: IconEyeOff, tone: 'pending' },
}

const SHOWN_AT_FIRST = 5

interface Props {
  readonly alert: AlertDetails
  readonly past: AlertPast
  readonly at: string | undefined
}

export function AlertHistory({ alert, past, at }: Props) {
  const [isWhole, setWhole] = useState(false)
  const { lines, foldedCount } = linesOf(past, isWhole)
  const chosen =
    alert.deviceHasLeft || alert.measurementId === null ? undefined : chosenOccurrence(past.occurrences, at)
  return (
    <>
      <ol className="alert-history">
        {lines.map((line) =>
          'occurrence' in line ? (
            <OccurrenceLine
              key={line.occurrence.from}
              alert={alert}
              occurrence={line.occurrence}
              isFirst={line.isFirst}
              isShown={line.occurrence === chosen}
              hasChart={chosen !== undefined}
            />
          ) : (
            <EntryLine key={line.entry.id} entry={line.entry} />
          ),
        )}
      </ol>
      {(foldedCount > 0 || (isWhole && past.readOlder)) && (
        <div className="alert-history-more">
          {foldedCount > 0 ? (
            <Button variant="default" onClick={() => setWhole(true)}>
              Show all {alert.activeCount} times it was raised
            </Button>
          ) : (
            <Button variant="default" onClick={past.readOlder}>
              Show older entries
            </Button>
          )}
        </div>
      )}
    </>
  )
}

interface OccurrenceProps {
  readonly alert: AlertDetails
  readonly occurrence: Occurrence
  readonly isFirst: boolean
  readonly isShown: boolean
  readonly hasChart: boolean
}

function OccurrenceLine({ alert, occurrence: { from, to }, isFirst, isShown, hasChart }: OccurrenceProps) {
  return (
    <li aria-current={isShown || undefined}>
      <Badge
        tone={to === undefined ? severityTone(alert.severityId) : 'off'}
        icon={to === undefined ? IconCircleFilled : IconCircle}
      >
        {isFirst ? 'Opened' : 'Raised again'}
        {to === undefined && ', active'}
      </Badge>
      <time dateTime={from} className="dim">
        {formatDateTime(from)}
      </time>
      <span className="dim">
        for <OpenFor created={from} closed={to ?? null} />
        {to !== undefined && `, until ${formatDateTime(to)}`}
      </span>
      {hasChart &&
        (isShown ? (
          <span className="alert-history-shown dim">in the chart</span>
        ) : (
          <Link
            className="alert-history-shown"
            to={alertDetails(alert.id, from)}
            aria-label={`Show in chart: ${formatDateTime(from)}`}
          >
            Show in chart
          </Link>
        ))}
    </li>
  )
}

function EntryLine({ entry }: { readonly entry: Entry }) {
  return (
    <HistoryEntry kind={KINDS[entry.kind]} at={entry.at}>
      {entry.username && <span className="dim">by {entry.username}</span>}
      {entry.text && <p className="alert-words">{entry.text}</p>}
    </HistoryEntry>
  )
}

type Line = { readonly occurrence: Occurrence; readonly isFirst: boolean } | { readonly entry: Entry }

function linesOf({ entries, occurrences }: AlertPast, isWhole: boolean) {
  const byBegin = new Map(occurrences.map((occurrence) => [occurrence.from, occurrence]))
  const lines: Line[] = []
  let metCount = 0
  for (const entry of entries) {
    const begun = entry.kind === 'opened' || entry.kind === 'active' ? byBegin.get(entry.at) : undefined
    if (begun) {
      metCount++
      if (isWhole || metCount <= SHOWN_AT_FIRST || entry.kind === 'opened')
        lines.push({ occurrence: begun, isFirst: entry.kind === 'opened' })
    } else if (entry.kind !== 'notActive') lines.push({ entry })
  }
  const shownCount = lines.filter((line) => 'occurrence' in line).length
  return { lines, foldedCount: metCount - shownCount }
}
