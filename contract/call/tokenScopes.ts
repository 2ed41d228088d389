import type { AuditEntity, Call } from './call.ts'

/** An API token is made for one or more of these purposes, named as people choose them (docs/decisions/0233). */
export const TOKEN_SCOPES = [
  { id: 'devices.read', name: 'Read devices', explanation: 'Overview, devices, what they report, why they are dark' },
  { id: 'devices.change', name: 'Change devices', explanation: 'Add, edit and delete devices, components and views' },
  { id: 'devices.settings', name: 'Set devices', explanation: 'Displays, ambient sensors, off times, day plans' },
  { id: 'devices.command', name: 'Command devices', explanation: 'Power, restarts, tests of batteries and drivers' },
  { id: 'devices.keys', name: 'Device keys', explanation: 'Download configurations and renew keys' },
  { id: 'alerts.read', name: 'Read alerts', explanation: 'Alerts, incidents and their conditions' },
  { id: 'alerts.change', name: 'Change alerts', explanation: 'Acknowledge, close, snooze, merge; edit conditions' },
  { id: 'maintenance.read', name: 'Read maintenance', explanation: 'Entries and windows' },
  {
    id: 'maintenance.change',
    name: 'Change maintenance',
    explanation: 'Write entries and visits, plan and end windows',
  },
  { id: 'analytics.read', name: 'Read analytics', explanation: 'Charts, series of readings, exports' },
  {
    id: 'notifying.read',
    name: 'Read notification settings',
    explanation: 'Channels, routes, on-call schedules, status pages',
  },
  {
    id: 'notifying.change',
    name: 'Change notification settings',
    explanation: 'Channels, routes, on-call schedules, status pages',
  },
  { id: 'updates.read', name: 'Read client updates', explanation: 'Releases and updates' },
  { id: 'updates.change', name: 'Change client updates', explanation: 'Upload releases, plan and steer updates' },
  { id: 'people.read', name: 'Read people', explanation: 'Users, roles, customers and the audit log' },
  { id: 'system.read', name: 'Read the system', explanation: 'How the server itself is' },
] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]['id']
export const TOKEN_SCOPE_IDS = TOKEN_SCOPES.map(({ id }) => id) as [TokenScope, ...TokenScope[]]

/** Every API token starts with this, so that whoever finds one, secret scanners among them, recognises it. */
export const API_TOKEN_PREFIX = 'way_'

/** The scope that a read needs, by the first part of its address. A token cannot read any other address. */
const READ_BY: Readonly<Record<string, TokenScope>> = {
  Alert: 'alerts.read',
  Analytics: 'analytics.read',
  AppRole: 'people.read',
  AppUser: 'people.read',
  Audit: 'people.read',
  Channel: 'notifying.read',
  Claim: 'devices.read',
  ClientUpdate: 'updates.read',
  Customer: 'people.read',
  Dashboard: 'devices.read',
  Device: 'devices.read',
  DeviceMaintenance: 'maintenance.read',
  Energy: 'devices.read',
  EventType: 'devices.read',
  EmergencyDark: 'devices.read',
  Incident: 'alerts.read',
  LightProof: 'devices.read',
  LightRule: 'devices.read',
  LightStatement: 'devices.read',
  Live: 'devices.read',
  MaintenanceWindow: 'maintenance.read',
  NotifyRoute: 'notifying.read',
  Release: 'updates.read',
  PanelLife: 'devices.read',
  Rota: 'notifying.read',
  StatusPage: 'notifying.read',
  System: 'system.read',
  View: 'devices.read',
  Visit: 'maintenance.read',
}

/**
 * The scope that a change needs, by its entity. No token changes users, roles, customers, sessions or tokens, or issues
 * light statements, or chooses light rules.
 */
const CHANGED_BY: Partial<Record<AuditEntity, TokenScope>> = {
  Alert: 'alerts.change',
  'Alert condition': 'alerts.change',
  Channel: 'notifying.change',
  Claim: 'devices.change',
  'Client update': 'updates.change',
  Device: 'devices.change',
  'Device component': 'devices.change',
  'Emergency dark': 'devices.command',
  'Field visit': 'maintenance.change',
  Incident: 'alerts.change',
  Maintenance: 'maintenance.change',
  'Maintenance window': 'maintenance.change',
  Release: 'updates.change',
  Rota: 'notifying.change',
  Route: 'notifying.change',
  'Status page': 'notifying.change',
  View: 'devices.change',
}

const SETTING = /^Device\/Apply/
/** These return only lookups and the caller's own name, which every token may read. */
const OWN = ['App/GetClientAuthData', 'App/GetConsoleSettings']

type Request = Pick<Call, 'path' | 'permission' | 'changes'>

/** The scope that a token needs to make this call: `any` for every token, undefined where no token ever may. */
export function scopeOfCall({ path, permission, changes }: Request): TokenScope | 'any' | undefined {
  if (permission === 'public') return undefined
  if (changes) {
    if (changes.action === 'Download' && changes.entity === 'Device') return 'devices.keys'
    // A box becomes the device with a key of its own.
    if (path === 'Claim/GiveRecord' || path === 'Claim/AcceptAsDevices') return 'devices.keys'
    if (changes.action === 'Command') return SETTING.test(path) ? 'devices.settings' : 'devices.command'
    return CHANGED_BY[changes.entity]
  }
  if (OWN.includes(path)) return 'any'
  const [about = ''] = path.split('/')
  const scope = READ_BY[about] ?? (about === 'Country' ? 'any' : undefined)
  return scope !== undefined && permission === 'signedIn' ? 'any' : scope
}

export function isInScopes(call: Request, scopes: readonly TokenScope[]): boolean {
  const needed = scopeOfCall(call)
  return needed === 'any' || (needed !== undefined && scopes.includes(needed))
}
