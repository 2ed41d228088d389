import { IconCircleCheckFilled, IconUser } from '@tabler/icons-react'
import { alertsText, devicesText } from '#console/alertParts/incidentCounts.ts'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useLiveOverview, useOnLiveAgain } from '#console/lib/live/live.ts'
import { useSoon } from '#console/lib/time/useSoon.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Incident, listIncidents } from '#contract/http/alerting/incidents.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { HeldNote } from './HeldNote.tsx'

/** The panel is as high with one of them or none, so that nothing below it moves. */
const MOST_SHOWN = 3

interface Props {
  readonly customerId: CustomerId | undefined
}

export function IncidentsPanel({ customerId }: Props) {
  const incidents = useCall(
    listIncidents,
    { state: 'active', rowNum: 1, pageSize: MOST_SHOWN, ...(customerId === undefined ? {} : { customerId }) },
    { refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true },
  )
  useLiveOverview(
    customerId ?? -1,
    useSoon(() => void incidents.refetch()),
  )
  useOnLiveAgain(() => void incidents.refetch())
  return (
    <Panel title="Incidents" meta={<Meta incidents={incidents} customerId={customerId} />}>
      <AsyncView
        query={incidents}
        skeleton={<div className="now-incidents" />}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<NoIncident />}
      >
        {({ rows }) => (
          <ol className="now-incidents" aria-label="Worst incidents first">
            {rows.map((incident) => (
              <Row key={incident.id} incident={incident} />
            ))}
          </ol>
        )}
      </AsyncView>
    </Panel>
  )
}

interface MetaProps extends Props {
  readonly incidents: Parameters<typeof HeldNote>[0]['query'] & { readonly data: { total: number | null } | undefined }
}

function Meta({ incidents, customerId }: MetaProps) {
  const { data } = incidents
  return (
    <>
      <HeldNote query={incidents} />
      <Link
        to={address('/incidents', { ...(data?.total === 0 ? {} : { state: 'active' as const }), customerId })}
        className="panel-link"
      >
        {activeLabel(data?.total)}
      </Link>
    </>
  )
}

function activeLabel(total: number | null | undefined): string {
  if (total === null) return 'All active'
  if (!total) return 'All incidents'
  return total === 1 ? '1 active' : `All ${formatNumber(total)} active`
}

const NoIncident = () => (
  <p className="now-incidents now-nothing">
    <IconCircleCheckFilled size={18} aria-hidden /> No incident is active.
  </p>
)

function Row({ incident }: { readonly incident: Incident }) {
  const { id, title, severityId, began, ownerName } = incident
  return (
    <li>
      <Link to={incidentPage(id)} className="now-incident">
        <b title={title}>{title}</b>
        <span>
          <SeverityBadge severityId={severityId} isActive />
          <span>{alertsText(incident)}</span>
          <OpenFor created={began} closed={null} />
          {ownerName !== '' && (
            <span className="now-owner">
              <IconUser size={14} aria-hidden /> {ownerName}
            </span>
          )}
          <span>{devicesText(incident)}</span>
        </span>
      </Link>
    </li>
  )
}
