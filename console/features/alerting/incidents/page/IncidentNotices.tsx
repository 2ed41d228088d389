import { IconBell, IconBellOff, IconHourglass } from '@tabler/icons-react'
import { HistoryEntry, type HistoryKind } from '#console/alertParts/HistoryEntry.tsx'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type IncidentNotice, listIncidentNotices } from '#contract/http/alerting/incidentNotices.ts'
import type { IncidentId } from '#domain/ids.ts'

const OUTCOMES: Readonly<Record<IncidentNotice['outcome'], HistoryKind>> = {
  told: { words: 'Notified', icon: IconBell, tone: 'brand' },
  waits: { words: 'Waiting', icon: IconHourglass, tone: 'pending' },
  not: { words: 'Not notified', icon: IconBellOff, tone: 'off' },
}

const BY = { channel: 'The channel', mail: 'Alert e-mails' } as const

export function IncidentNotices({ id }: { readonly id: IncidentId }) {
  const notices = useCall(listIncidentNotices, { id }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  return (
    <Panel title="Notifications">
      <AsyncView query={notices} empty={<p className="alert-none">No notifications visible to you.</p>}>
        {(rows) => (
          <ol className="alert-history incident-history">
            {rows
              .map((notice, place) => ({ notice, place }))
              .toReversed()
              .map(({ notice, place }) => (
                <NoticeLine key={place} notice={notice} />
              ))}
          </ol>
        )}
      </AsyncView>
    </Panel>
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
