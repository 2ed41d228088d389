import { IconZzz } from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { devicesText } from '#console/alertParts/incidentCounts.ts'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { SeverityIcon } from '#console/alertParts/SeverityBadge.tsx'
import { formatMinute } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import type { IncidentId } from '#domain/ids.ts'
import { isSnoozed } from '../IncidentBadges.tsx'
import { snoozeText } from '../incidentLabels.ts'

interface Props {
  readonly label: string
  readonly incidents: readonly Incident[]
  readonly shownId: IncidentId | undefined
  /** It is absent where there is no room beside the list: a row then leads to its page. */
  readonly onShow: ((id: IncidentId) => void) | undefined
}

export function IncidentRows({ label, incidents, shownId, onShow }: Props) {
  return (
    <ul className="incident-rows" aria-label={label}>
      {incidents.map((incident) => (
        <Row key={incident.id} incident={incident} isShown={incident.id === shownId} onShow={onShow} />
      ))}
    </ul>
  )
}

interface RowProps extends Pick<Props, 'onShow'> {
  readonly incident: Incident
  readonly isShown: boolean
}

function Row({ incident, isShown, onShow }: RowProps) {
  const { id, cause, severityId, state, ownerName, snoozedUntil, alertCount } = incident
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  // A link can be opened in another tab or copied; a plain click shows the incident beside the list, and the next its page.
  const show = (event: MouseEvent) => {
    if (!onShow || isShown || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onShow(id)
  }
  return (
    <li ref={row} aria-current={isShown || undefined}>
      <SeverityIcon severityId={severityId} isActive={state === 'active'} />
      <Link to={incidentPage(id)} onClick={show} className="incident-row-title" title={cause.text}>
        {cause.text}
      </Link>
      <span className="incident-row-age dim">
        {snoozedUntil !== null && isSnoozed(incident) && (
          <IconZzz size={14} role="img" aria-label={snoozeText(snoozedUntil)} />
        )}
        <Age incident={incident} />
      </span>
      <span className="incident-row-where dim" title={incident.title}>
        {whereOf(incident)}
        {alertCount > 1 && ` · ${alertCount} alerts`}
      </span>
      <span className="incident-row-owner dim">{ownerName || 'No owner'}</span>
    </li>
  )
}

function Age({ incident: { began, over } }: { readonly incident: Incident }) {
  if (over === null) return <OpenFor created={began} closed={null} />
  return (
    <>
      {formatMinute(began)}, <OpenFor created={began} closed={over} />
    </>
  )
}

const whereOf = (incident: Incident): string =>
  [
    incident.deviceCount > 1 ? devicesText(incident) : incident.cause.deviceName,
    incident.customerName || 'Several customers',
  ].join(' · ')
