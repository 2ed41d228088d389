import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { FleetDevice, FleetFile } from '#contract/fleet.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import {
  addIfMissing,
  ensureRole,
  findFirstAdminPasswordHash,
  findPasswordHash,
} from '#server/features/people/signIn/signInUsers.store.ts'
import { type DemoDevice, type DemoFault, demoDevice, isLasting, lastingSchedule, thisMachine } from './demoDevices.ts'
import { DEMO_ADMIN, DEMO_USERS } from './demoUsers.ts'
import { readFleetDevices, writeFleetFile } from './fleetFile.ts'
import { DEMO_CUSTOMERS } from './places.ts'
import type { SeededDevice, SeedStore } from './seed.store.ts'

export interface DemoDeps {
  readonly db: Db
  readonly store: SeedStore
  /** Counts simulated devices; the machine itself is added, and with 0 there is no device at all. */
  readonly deviceCount: number
  readonly historyDays: number
  readonly historyReportsPerSecond?: number
  readonly fleetFile: string
  readonly addresses: { readonly mqttUrl: string; readonly httpUrl: string }
  /** Devices run releases that these keys sign. */
  readonly trust?: Pick<FleetFile, 'releaseKeys' | 'releaseKeyFile'>
}

const KEY_BYTES = 32

/**
 * Makes what the demo lacks: customers, one user of each kind with the administrator's password, devices and their
 * keys. What operators have changed or deleted stays so. An administrator must exist.
 *
 * @returns how many devices were added
 */
export async function seedDemo(deps: DemoDeps): Promise<{ readonly addedDevices: number }> {
  const { store, deviceCount } = deps
  const customers = new Map<string, { id: CustomerId; timeZone: string }>()
  for (const { name, countryIso } of DEMO_CUSTOMERS) customers.set(name, await store.ensureCustomer(name, countryIso))
  await addUsers(deps.db, customers)
  const devices =
    deviceCount === 0 ? [] : [...Array.from({ length: deviceCount }, (_, i) => demoDevice(i)), thisMachine(hostname())]
  const addedDevices = await store.addMissing(devices, customers)
  await writeFleet(devices, deps)
  return { addedDevices }
}

async function addUsers(db: Db, customers: ReadonlyMap<string, { readonly id: CustomerId }>): Promise<void> {
  // The demo's administrator is missing as well in an installation that was in real use before.
  const passwordHash = (await findPasswordHash(db, DEMO_ADMIN)) ?? (await findFirstAdminPasswordHash(db))
  if (passwordHash === undefined) throw new Error('The demo needs an administrator whose password its users share.')
  for (const { roleName, functions, customerName, ...user } of DEMO_USERS) {
    const customerId = customerName === undefined ? undefined : customers.get(customerName)?.id
    const roleId = await ensureRole(db, roleName, functions)
    await addIfMissing(db, { ...user, customerId, passwordHash, roleId })
  }
}

async function writeFleet(devices: readonly DemoDevice[], deps: DemoDeps): Promise<void> {
  const { store, fleetFile, historyDays, historyReportsPerSecond, addresses, trust } = deps
  const [known, present] = await Promise.all([
    readFleetDevices(fleetFile),
    store.present(devices.map(({ guid }) => guid)),
  ])
  const byGuid = new Map(present.map((device) => [device.guid, device]))
  const withKeys = devices.flatMap((plan) => {
    const device = byGuid.get(plan.guid)
    return device ? [{ device, plan, ...keyOf(device, known.get(plan.guid)?.key) }] : []
  })
  // The keys come before the file: a key that only the file knows would lock its device out.
  await store.addKeys(
    withKeys.filter(({ isNew }) => isNew).map(({ device, keyHash }) => ({ deviceId: device.id, keyHash })),
  )
  const content: FleetFile = {
    ...addresses,
    ...trust,
    historyDays,
    historyReportsPerSecond,
    devices: withKeys.map(({ device, plan, key }) => ({
      ...fleetDeviceOf(device, key, plan),
      ...lastingOf(plan, known.get(plan.guid)),
    })),
  }
  await writeFleetFile(fleetFile, content)
}

/** A fault that began at an earlier start goes on. */
function lastingOf({ faults, lasting }: DemoDevice, known: FleetDevice | undefined) {
  const nowMs = Date.now()
  const offSinceMs: Record<string, number> = {}
  const schedules: DemoFault[] = []
  for (const { kind, beganMinutesBefore } of lasting) {
    if (typeof kind === 'object') offSinceMs[kind.outletOff] = nowMs - beganMinutesBefore * MINUTE_MS
    else schedules.push(lastingSchedule(kind, beganMinutesBefore, nowMs))
  }
  const begun = schedules.length > 0 ? (known?.faults.filter(isLasting) ?? []) : []
  return {
    faults: [...faults, ...(begun.length > 0 ? begun : schedules)],
    offSinceMs: Object.keys(offSinceMs).length > 0 ? { ...offSinceMs, ...known?.offSinceMs } : {},
  }
}

/** Returns the key of the file while the database still knows it, and otherwise a new one. */
function keyOf(device: SeededDevice, known: string | undefined): { key: string; keyHash: Buffer; isNew: boolean } {
  if (known !== undefined) {
    const keyHash = hashOf(known)
    if (device.keyHashes.some((hash) => hash.equals(keyHash))) return { key: known, keyHash, isNew: false }
  }
  const key = randomBytes(KEY_BYTES).toString('base64url')
  return { key, keyHash: hashOf(key), isNew: true }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest()

function fleetDeviceOf(device: SeededDevice, key: string, plan: DemoDevice): FleetFile['devices'][number] {
  const { guid, name, timeZone, components } = device
  return {
    guid,
    key,
    name,
    modelId: device.modelId as DeviceModelId,
    latitude: device.latitude ?? plan.latitude,
    longitude: device.longitude ?? plan.longitude,
    timeZone,
    components: [...components],
    seed: plan.seed,
    driver: plan.driver,
    offTimes: plan.offTimes,
    dayPlan: plan.dayPlan && structuredClone(plan.dayPlan as FleetFile['devices'][number]['dayPlan']),
    feeds: { ...plan.feeds },
  }
}
