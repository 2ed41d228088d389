import { useMay } from '#console/lib/session/session.ts'
import { type Address, address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { AuditEntity } from '#contract/call/call.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import type { AlertId, IncidentId, UserId } from '#domain/ids.ts'
import type { Permission } from '#domain/permissions/permissions.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface EntityPage {
  readonly permission: Permission
  readonly to: (id: number) => Address
}

const PAGES: Partial<Record<AuditEntity, EntityPage>> = {
  User: { permission: 'admin', to: (id) => address('/users/user-details', { data: { id: id as UserId } }) },
  Role: { permission: 'staffAdmin', to: (shown) => address('/roles', { shown }) },
  Customer: { permission: 'staffAdmin', to: (shown) => address('/customers', { shown }) },
  Alert: {
    permission: 'seeDevicesOrAnalytics',
    to: (id) => address('/alerts/alert-details', { data: { id: id as AlertId } }),
  },
  'Client update': {
    permission: 'staffAdmin',
    to: (id) => address('/device-software/rollouts/$updateId', { updateId: String(id) }),
  },
  Incident: {
    permission: 'seeDevices',
    to: (id) => address('/incidents/incident', { data: { id: id as IncidentId } }),
  },
  Channel: { permission: 'admin', to: (shown) => address('/notifications/channels', { shown }) },
  Route: { permission: 'admin', to: (shown) => address('/notifications/routes', { shown }) },
  Rota: { permission: 'admin', to: (shown) => address('/notifications/on-call', { shown }) },
  'Status page': { permission: 'admin', to: (shown) => address('/status-pages', { shown }) },
  'Sign-in provider': { permission: 'staffAdmin', to: (shown) => address('/single-sign-on', { shown }) },
}

/** The name of what an entry of the audit log is about leads to its page, where it still has one for the reader. */
export function EntityLink({ entry }: { readonly entry: AuditEntry }) {
  const { entityTypeName, entityId, entityName, deviceGuid, actionName } = entry
  const page = PAGES[entityTypeName as AuditEntity]
  const [mayOpen, mayOpenDevice] = [useMay(page?.permission ?? 'signedIn'), useMay('seeDevices')]
  const name = entityName || UNKNOWN_TEXT
  if (deviceGuid !== null && mayOpenDevice)
    return <NameLink to={address('/devices/$guid/status', { guid: deviceGuid })} name={name} />
  if (page === undefined || entityId === null || !mayOpen || actionName === 'Delete') return name
  return <NameLink to={page.to(entityId)} name={name} />
}

/** The table is one Tab stop, and Enter opens the entry. */
const NameLink = ({ to, name }: { readonly to: Address; readonly name: string }) => (
  <Link to={to} className="table-name" tabIndex={-1}>
    {name}
  </Link>
)
