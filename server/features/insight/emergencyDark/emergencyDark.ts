import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import {
  endEmergencyDark,
  getEmergencyProof,
  listEmergencyDark,
  previewEmergencyDark,
  startEmergencyDark,
} from '#contract/http/insight/emergencyDark.ts'
import type { PowerInDark } from '#domain/drivers/powerInDark.ts'
import { emergencyOffTimes, emergencyProblem } from '#domain/lightRules/emergencyDark.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { Given } from '#server/features/feature.ts'
import { readCustomerName, requireCustomer } from '#server/fleet/customerLookup.ts'
import { readPowerInDark } from '#server/fleet/darkPanels.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { readProof } from './emergencyProof.store.ts'
import { type Reach, readReached } from './emergencyReach.store.ts'
import {
  EMERGENCY_JOB,
  type EmergencyRow,
  endEmergency,
  insertEmergency,
  readEmergencies,
  readWork,
  settleDevice,
} from './emergencyRows.store.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock' | 'live'>

/** Emergency dark: all displays of a customer, country, place or tag, until a time (rules/light 8). */
export function emergencyDarkFeature(deps: Deps) {
  const { pool, db, clock } = deps
  return {
    routes: [
      route(previewEmergencyDark, ({ query, caller }) => preview(deps, query, caller)),
      route(startEmergencyDark, ({ body, caller, change }) => start(deps, body, caller, change)),
      route(endEmergencyDark, ({ body, caller, change }) => end(deps, body.id, caller, change)),
      route(listEmergencyDark, async ({ query: { deviceId }, caller }) => {
        const scope = scopeOf(caller)
        if (deviceId !== undefined) await requireVisible(pool, scope, [deviceId])
        return (await readEmergencies(db, scope, { deviceId })).map((row) => toAnswer(row, caller))
      }),
      route(getEmergencyProof, async ({ query: { id }, caller }) => {
        await requireEmergency(deps, id, caller)
        return countProof(await readProof(db, scopeOf(caller), id, clock.now()))
      }),
    ],
    jobs: [emergencyJob(deps)],
  }
}

async function requireEmergency({ db }: Deps, id: number, caller: Caller): Promise<EmergencyRow> {
  const [row] = await readEmergencies(db, scopeOf(caller), { id })
  if (row === undefined) throw notFound()
  return row
}

/** One that staff started for several customers is not a customer's to end. */
const isOwn = ({ customerId }: EmergencyRow, caller: Caller) =>
  caller.customerId === undefined || caller.customerId === customerId

const toAnswer = (row: EmergencyRow, caller: Caller) => ({
  ...row,
  startedBy: row.startedBy ?? '',
  startedAt: row.startedAt.toISOString(),
  until: row.until.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  mayEnd: row.endedAt === null && isOwn(row, caller),
})

async function requireReach({ db }: Deps, asked: Reach, caller: Caller): Promise<Reach> {
  const customerId = asked.customerId ?? caller.customerId
  if (customerId !== undefined) await requireCustomer(db, customerId, scopeOf(caller))
  const reach = { ...asked, customerId }
  if (customerId === undefined && !asked.country && !asked.place && !asked.tag) {
    throw new CallError('invalid_request', 'customerId: Choose a customer, a country, a place or a tag.')
  }
  return reach
}

/** Says in words whom an emergency reaches. */
async function subjectOf({ db }: Deps, { customerId, country, place, tag }: Reach): Promise<string> {
  const customer = customerId === undefined ? undefined : await readCustomerName(db, customerId)
  const parts = [customer, country && `country ${country}`, place && `place “${place}”`, tag && `tag “${tag}”`]
  return parts.filter(Boolean).join(', ')
}

async function preview(deps: Deps, asked: Reach, caller: Caller): Promise<AnswerOf<typeof previewEmergencyDark>> {
  const reach = await requireReach(deps, asked, caller)
  const { devices, unknownPlace } = await readReached(deps.db, scopeOf(caller), reach)
  const ids = devices.map(({ id }) => id)
  const power = [...(await readPowerInDark(deps.pool, ids)).values()]
  const countOf = (its: PowerInDark) => power.filter((one) => one === its).length
  return {
    subject: await subjectOf(deps, reach),
    devices: devices.length,
    displays: devices.reduce((sum, { displays }) => sum + displays, 0),
    notConnected: devices.filter(({ isOnline }) => !isOnline).length,
    unknownPlace,
    losesPower: countOf('lost'),
    unknownPower: countOf('unknown'),
  }
}

async function start(
  deps: Deps,
  { reason, until: untilText, word: _, ...asked }: ReadBodyOf<typeof startEmergencyDark>,
  caller: Caller,
  change: ChangeRecord,
): Promise<number> {
  const { db, clock } = deps
  const reach = await requireReach(deps, asked, caller)
  const subject = await subjectOf(deps, reach)
  const customerId = reach.customerId ?? null
  change.about({ name: subject, customerId })
  const [now, until] = [clock.now(), new Date(untilText)]
  const problem = emergencyProblem(now, until)
  if (problem) throw new CallError('invalid_request', problem)
  return db.transaction().execute(async (transaction) => {
    const { devices } = await readReached(transaction, scopeOf(caller), reach)
    if (devices.length === 0) throw new CallError('invalid_request', 'customerId: It reaches no display.')
    const id = await insertEmergency(transaction, {
      ...{ customerId, subject, reason, startedAt: now, startedBy: caller.userId, until },
      devices: devices.map(({ id: deviceId, timeZone }) => ({
        id: deviceId,
        offTimes: emergencyOffTimes(now, until, isTimeZone(timeZone) ? timeZone : 'UTC'),
      })),
    })
    const details = `${devices.length} devices until ${until.toISOString()}: ${reason}`
    await change.done(transaction, { id, name: subject, customerId, details })
    return id
  })
}

async function end(deps: Deps, id: number, caller: Caller, change: ChangeRecord): Promise<true> {
  change.about({ id })
  const row = await requireEmergency(deps, id, caller)
  const { subject, customerId } = row
  change.about({ id, name: subject, customerId })
  if (!isOwn(row, caller)) throw notFound()
  await deps.db.transaction().execute(async (transaction) => {
    if (!(await endEmergency(transaction, id, caller.userId))) {
      throw new CallError('invalid_request', 'id: It is over already.')
    }
    await change.done(transaction, { id, name: subject, customerId, details: 'Ended' })
  })
  return true
}

const MOST_OPEN = 100

function countProof(devices: Awaited<ReturnType<typeof readProof>>): AnswerOf<typeof getEmergencyProof> {
  const count = (is: (one: (typeof devices)[number]) => boolean) => devices.filter(is).length
  const open = devices.flatMap(({ deviceId, guid, name, proof, isOnline, isConfirmed }) =>
    proof === 'dark' ? [] : [{ deviceId, guid, name, proof, isOnline, isConfirmed }],
  )
  return {
    devices: devices.length,
    displays: devices.reduce((sum, { displays }) => sum + displays.length, 0),
    notConnected: count(({ isOnline }) => !isOnline),
    confirmed: count(({ isConfirmed }) => isConfirmed),
    dark: count(({ proof }) => proof === 'dark'),
    lit: count(({ proof }) => proof === 'lit'),
    unknown: count(({ proof }) => proof === 'unknown'),
    restored: count(({ isRestored }) => isRestored),
    open: open.toSorted((a, b) => Number(a.proof === 'unknown') - Number(b.proof === 'unknown')).slice(0, MOST_OPEN),
  }
}

const DEVICES_AT_ONCE = 200
const RETRY_MS = 3_000

/** Carries emergencies to the devices, and gives them back what they had. Each device is one transaction. */
function emergencyJob({ db, live }: Deps): UnfencedJob {
  return {
    name: EMERGENCY_JOB,
    everyMs: TOLD_EVERY_MS,
    retryMs: RETRY_MS,
    async runUnfenced(stopped) {
      for (;;) {
        const { due, endsInMs } = await readWork(db, DEVICES_AT_ONCE)
        for (const { deviceId } of due) {
          if (stopped.aborted) return undefined
          if (await settleDevice(db, deviceId)) live.noteChanged(deviceId)
        }
        if (due.length < DEVICES_AT_ONCE) {
          return endsInMs === undefined ? undefined : { againInMs: Math.min(TOLD_EVERY_MS, Math.max(0, endsInMs)) }
        }
      }
    },
  }
}
