import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import './incidentSwitch.css'

interface Props {
  readonly shown: 'incidents' | 'alerts'
  /** It is carried over to the other list; the remaining filters mean something else there. */
  readonly customerId: CustomerId | undefined
  readonly deviceId: DeviceId | undefined
}

export function IncidentSwitch({ shown, customerId, deviceId }: Props) {
  const kept = { customerId, deviceId }
  const isCurrent = (view: Props['shown']) => (view === shown ? 'page' : undefined)
  return (
    <nav className="incident-switch" aria-label="Incidents or alerts">
      <Link to={address('/incidents', kept)} aria-current={isCurrent('incidents')}>
        As incidents
      </Link>
      <Link to={address('/alerts', kept)} aria-current={isCurrent('alerts')}>
        Each alert
      </Link>
    </nav>
  )
}
