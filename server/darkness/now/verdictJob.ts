import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { keptElsewhere } from '#server/db/distribute/awayWorkers.ts'
import type { Statements } from '#server/db/statements.ts'
import type { Job, RunEnd } from '#server/jobs/JobRunner.ts'
import { createSerialQueue } from '#server/jobs/serialQueue.ts'
import { readNowFacts } from './nowFacts.ts'
import { readDevicesTold, VERDICTS_JOB } from './VerdictPublisher.ts'
import { dropVerdicts, judged, readKept, writeVerdicts } from './verdictRows.ts'

/** Devices that the clock may change are checked together, so that a fleet at rest costs few statements. */
const LOOK_EVERY_MS = 15_000
/** A verdict is judged again after this time even if a notice was missed. */
const BELIEVED_MS = 15 * MINUTE_MS
const DEVICES_AT_ONCE = 200
/** Devices whose worker of the database is away keep their verdict, and are tried again after this. */
const AWAY_AGAIN_MS = MINUTE_MS
/** Notified devices take at most a third of the time, so that a returning fleet soon has its verdicts. */
const REST_WHEN_TOLD = 2
/** Devices due by the clock take at most a twentieth, because nearly all of them are unchanged. */
const REST_WHEN_DUE = 19

/**
 * Keeps the current verdict of every device: what is dark, silent, on battery or alerted, why, and since when. It
 * judges devices it is notified of at once, and those that the clock may have changed when they are due. A new leader
 * judges all (docs/decisions/0165).
 *
 * @param onChanged is called with the devices whose verdict changed
 */
export function verdictJob(onChanged: (deviceIds: readonly DeviceId[]) => void): Job {
  const told = new Set<DeviceId>()
  const due = new Map<DeviceId, number>()
  let lead: AbortSignal | undefined
  let ledSince = new Date(0)
  let allReadAtMs = Number.NEGATIVE_INFINITY
  let newestId = 0

  /** Finds devices without a notice too: new ones, and now and then all, in case a notice was missed. */
  async function readDevices(owner: pg.Client, nowMs: number, isNewLead: boolean) {
    if (isNewLead) due.clear()
    // A clock that was set back must not postpone what is due.
    if (isNewLead || Math.abs(nowMs - allReadAtMs) >= BELIEVED_MS) {
      newestId = 0
      allReadAtMs = nowMs
    }
    const { rows } = await owner.query<{ id: DeviceId }>(
      'select id from device where id > $1 and deleted_at is null order by id',
      [newestId],
    )
    newestId = rows.at(-1)?.id ?? newestId
    for (const { id } of rows) if (!due.has(id)) due.set(id, nowMs)
  }

  return {
    name: VERDICTS_JOB,
    everyMs: LOOK_EVERY_MS,
    onTold(text) {
      for (const deviceId of readDevicesTold(text)) told.add(deviceId)
    },
    async run(owner, now, over): Promise<RunEnd> {
      const nowMs = now.getTime()
      const isNewLead = lead !== over
      await readDevices(owner, nowMs, isNewLead)
      lead = over
      if (isNewLead) ledSince = now
      const beganAt = performance.now()
      const isTold = told.size > 0
      const some = isTold ? takeSome(told) : dueSome(due, nowMs)
      if (some.length > 0) {
        await judge(oneByOne(owner), some, now).catch(async (error: unknown) => {
          const elsewhere = await keptElsewhere(owner, error, some).catch(() => undefined)
          for (const deviceId of some)
            if (elsewhere === undefined) told.add(deviceId)
            else due.set(deviceId, nowMs + AWAY_AGAIN_MS)
          if (elsewhere === undefined) throw error
          await judge(oneByOne(owner), elsewhere, now)
        })
      }
      const tookMs = performance.now() - beganAt
      if (told.size > 0) return { againInMs: tookMs * REST_WHEN_TOLD }
      return isTold || some.length === DEVICES_AT_ONCE ? { againInMs: tookMs * REST_WHEN_DUE } : undefined
    },
  }

  async function judge(statements: Statements, deviceIds: readonly DeviceId[], now: Date) {
    const [facts, keptOf] = await Promise.all([
      readNowFacts(statements, deviceIds, now),
      readKept(statements, deviceIds),
    ])
    const news = []
    const gone: DeviceId[] = []
    for (const deviceId of deviceIds) {
      const [device, kept] = [facts.get(deviceId), keptOf.get(deviceId)]
      if (device === undefined || kept === undefined) {
        due.delete(deviceId)
        gone.push(deviceId)
        continue
      }
      const { row, isNews, nextAt } = judged(deviceId, device, kept, now, ledSince)
      if (isNews) news.push(row)
      due.set(deviceId, Math.min(nextAt?.getTime() ?? Number.POSITIVE_INFINITY, now.getTime() + BELIEVED_MS))
    }
    await dropVerdicts(statements, gone)
    for (const deviceId of await writeVerdicts(statements, news)) told.add(deviceId)
    if (news.length > 0) onChanged(news.map(({ device_id }) => device_id))
  }
}

function takeSome(told: Set<DeviceId>): DeviceId[] {
  const some = [...told.keys().take(DEVICES_AT_ONCE)]
  for (const deviceId of some) told.delete(deviceId)
  return some
}

function dueSome(due: ReadonlyMap<DeviceId, number>, nowMs: number): DeviceId[] {
  const some: DeviceId[] = []
  for (const [deviceId, atMs] of due) {
    // A device due later than is possible was judged before the clock was set back.
    if (atMs <= nowMs || atMs > nowMs + BELIEVED_MS) some.push(deviceId)
    if (some.length === DEVICES_AT_ONCE) break
  }
  return some
}

function oneByOne(owner: pg.Client): Statements {
  const queue = createSerialQueue()
  return { query: (text, values) => queue(() => owner.query(text, values)) }
}
