import type { Device } from '#contract/http/devices/devices.ts'
import { HOUR_MS } from '../../domain/units/time.ts'
import { demoDevice } from '../../server/demo/demoDevices.ts'
import { type DemoUser, login } from '../support/signIn.ts'
import type { RunningSystem } from '../support/system.ts'

export const SERVICED = demoDevice(31).name
/** A maintenance entry chooses from lists with these ids. */
const REASON = { alert: 1, customerReport: 2, plannedInspection: 3, vandalism: 7 }
const ACTION = { cleaned: 2, cabling: 9, filter: 10, replaced: 6 }
const RESOLUTION = { solved: 1, waitingForParts: 6 }
const ALERT_RESOLUTION = { onSite: 1, planned: 5 }

async function callsOf(user: DemoUser, system: RunningSystem) {
  const { accessToken } = await login(`${user}@demo.example`, system)
  return async <Answer = unknown>(path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(`${system.httpUrl}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} was refused: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
}
type Calls = Awaited<ReturnType<typeof callsOf>>

export interface Workday {
  readonly idOf: (deviceName: string) => number
  readonly guidOf: (deviceName: string) => string
  readonly updateId: number
}

/** Does what people do in the demo, so that its lists have something to show. */
export async function workADay(system: RunningSystem): Promise<Workday> {
  const [manager, admin] = await Promise.all([callsOf('manager', system), callsOf('admin', system)])
  const devices = await manager<Device[]>('Device/GetDeviceList')
  const named = (wanted: string) => {
    const device = devices.find(({ name }) => name === wanted)
    if (!device) throw new Error(`The demo has no ${wanted}.`)
    return device
  }
  await service(manager, named(SERVICED))
  await lookAfterAlerts(manager)
  await planWindows(manager, devices)
  await setUpNotifications(admin, devices)
  return {
    idOf: (name) => named(name).id,
    guidOf: (name) => named(name).guid,
    updateId: await updateOf(admin),
  }
}

async function service(manager: Calls, { id: deviceId }: Device): Promise<void> {
  const components = await manager<{ id: number; name: string }[]>(
    `DeviceMaintenance/GetMaintenanceDeviceComponentList?deviceId=${deviceId}`,
  )
  const display = components.find(({ name }) => name.startsWith('Display'))?.id
  const { rows: alerts } = await manager<{ rows: { id: number }[] }>(
    `Alert/GetAlertList?deviceId=${deviceId}&pageSize=1`,
  )
  const visit = (hoursAgo: number, hours: number | undefined, more: object) => {
    const startMs = Date.now() - hoursAgo * HOUR_MS
    return manager('DeviceMaintenance/SetDeviceMaintenance', {
      ...{ deviceId, modelComponentId: display, startDt: new Date(startMs).toISOString() },
      ...{ endDt: hours === undefined ? null : new Date(startMs + hours * HOUR_MS).toISOString(), ...more },
    })
  }
  const { solved, waitingForParts } = RESOLUTION
  await visit(1902, 2, {
    ...{ reasonId: REASON.plannedInspection, actionId: ACTION.cleaned, resolutionId: solved },
    actionComment: 'Glass cleaned, door seal checked.',
  })
  await visit(1188, 3.5, {
    ...{ reasonId: REASON.vandalism, actionId: ACTION.replaced, resolutionId: solved },
    actionComment: 'Front glass replaced.',
  })
  await visit(420, 1.25, {
    ...{ reasonId: REASON.alert, actionId: ACTION.filter, resolutionId: solved, alertId: alerts[0]?.id },
    actionComment: 'Intake filter was clogged.',
  })
  await visit(13, undefined, {
    ...{ reasonId: REASON.customerReport, actionId: ACTION.cabling, resolutionId: waitingForParts },
    actionComment: 'HDMI cable loose, a new one is ordered.',
  })
  await manager(`Device/Router2Reset?deviceId=${deviceId}`)
}

/** Closes some alerts and works on a few; the rest stays as the night left it. */
async function lookAfterAlerts(manager: Calls): Promise<void> {
  const { rows } = await manager<{ rows: { id: number }[] }>('Alert/GetAlertList?statusId=1&pageSize=12')
  const every3rd = (first: number) => rows.filter((_, index) => index % 3 === first).map(({ id }) => id)
  await manager('Alert/CloseAlerts', { idList: every3rd(0), resolutionId: ALERT_RESOLUTION.planned })
  await manager('Alert/CloseAlerts', { idList: every3rd(1).slice(1), resolutionId: ALERT_RESOLUTION.onSite })
  for (const id of every3rd(2)) await manager('Alert/AcknowledgeAlert', { id, note: 'On the way.' })
}

async function planWindows(manager: Calls, devices: readonly Device[]): Promise<void> {
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const window = (target: object, schedule: object, reason: string) =>
    manager('MaintenanceWindow/CreateMaintenanceWindow', { target, schedule, reason })
  const { id: deviceId = 0, customerId = 0 } = devices.find(({ customerId }) => customerId != null) ?? {}
  await window({ kind: 'device', deviceId }, { kind: 'once', minutes: 240 }, 'New UPS batteries')
  await window({ kind: 'customer', customerId }, { kind: 'once', from: inHours(30), to: inHours(33) }, 'Mains are cut')
  const timeZone = 'Europe/Prague'
  const nights = { kind: 'weekly', weekdays: [0, 2, 4], from: '02:00', to: '03:30', timeZone, firstDay: '2026-01-01' }
  await window({ kind: 'customer', customerId }, nights, 'Router firmware')
}

/** Makes two channels, an on-call schedule of two people, and a route that notifies both. */
async function setUpNotifications(admin: Calls, devices: readonly Device[]): Promise<void> {
  const settings = { address: '', recipient: '', user: '', issueType: '', transitionId: '' }
  const channel = (name: string, kind: string, more: object) =>
    admin<{ id: number }>('Channel/SetChannel', { name, kind, ...more })
  const room = await channel('Operations room', 'slack', {
    settings: { ...settings, recipient: 'C0423OPS' },
    secret: 'xoxb-a-token-of-the-demo',
  })
  const quiet = { from: '22:00', to: '06:00', timeZone: 'Europe/Prague', tellsCritical: true }
  await channel('Night shift', 'ntfy', { settings: { ...settings, recipient: 'wayside-night' }, quiet })
  const people = await admin<{ id: number }[]>('AppUser/GetAppUserList')
  const rotaId = await admin('Rota/SetRota', {
    ...{
      name: 'Field technicians',
      timeZone: 'Europe/Prague',
      firstDay: '2026-01-05',
      handOver: '08:00',
      everyDays: 7,
    },
    members: people.slice(0, 2).map(({ id: userId }) => ({ userId, channelId: null })),
  })
  const steps = [
    { afterMinutes: 0, channelId: room.id },
    { afterMinutes: 15, rotaId },
  ]
  await admin('NotifyRoute/SetNotifyRoute', { name: 'Critical, day and night', severityId: 1, tag: '', steps })
  const name = { name: 'Reporting', scopes: ['devices.read', 'analytics.read'], expiresInDays: 90 }
  await admin('ApiToken/CreateToken', name)
  const customerId = devices.find(({ customerId }) => customerId != null)?.customerId
  await admin('StatusPage/SetStatusPage', {
    ...{ customerId, mode: 'secret', title: 'Displays of the city', severityId: 2 },
    ...{ showsPlanned: true, takesSubscribers: true },
  })
}

/** Finds the demo's own rollout, whose first wave is over. */
async function updateOf(admin: Calls): Promise<number> {
  const { rows } = await admin<{ rows: { id: number }[] }>('ClientUpdate/GetUpdateList')
  const [update] = rows
  if (!update) throw new Error('The demo has begun no update.')
  return update.id
}
