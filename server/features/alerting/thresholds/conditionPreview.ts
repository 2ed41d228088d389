import type { ReadBodyOf } from '#contract/call/call.ts'
import { type ConditionPreview, PREVIEW_DAYS, type previewAlertCondition } from '#contract/http/alerting/thresholds.ts'
import { minutesMs } from '#domain/alerts/conditionKinds.ts'
import { partsOf } from '#domain/alerts/conditionParts.ts'
import type { ActiveStretch } from '#domain/alerts/fold/alertFold.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import { pastDarkness } from '#server/darkness/waiting/pastDarkness.ts'
import { pastSilence } from '#server/darkness/waiting/pastSilence.ts'
import type { Given } from '#server/features/feature.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { replayRequested } from '#server/telemetry/alerts/replay.ts'
import { judgedFields, readConditionFields } from './conditionLabels.ts'
import { placeOf } from './conditionPlace.ts'
import { type ConditionFields, findPlacedDevice, type PlacedDevice, readDevicesOf } from './thresholds.store.ts'

type PreviewDeps = Pick<Given, 'pool' | 'db' | 'clock'>
type Request = ReadBodyOf<typeof previewAlertCondition>

const MOST_DEVICES = 50
/** A chart has fewer pixels than this; the newest are drawn. */
const MOST_STRETCHES = 2_000
/** Somebody waits for the preview while editing; devices left after this time are counted as skipped. */
const LONGEST_REPLAY_MS = 3_000

interface Looked {
  readonly device: PlacedDevice
  readonly stretches: readonly ActiveStretch[]
  readonly oldestMs: number | undefined
}

export async function previewCondition(deps: PreviewDeps, asked: Request, caller: Caller): Promise<ConditionPreview> {
  const asksOfEach = asksOf(readConditionFields(asked))
  const { devices, more } = await devicesOf(deps, asked, caller)
  const nowMs = Date.now()
  const from = new Date(nowMs - asked.days * DAY_MS)
  const endsAt = performance.now() + LONGEST_REPLAY_MS
  const looked: Looked[] = []
  for (const device of devices) {
    if (looked.length > 0 && performance.now() > endsAt) break
    const replayed: Omit<Looked, 'device'>[] = []
    for (const one of asksOfEach) replayed.push(await replay(deps, { deviceId: device.id, from, ...one }))
    looked.push({ device, ...together(replayed) })
  }
  return toPreview(looked, asked.days, nowMs, more + devices.length - looked.length)
}

async function devicesOf({ db }: PreviewDeps, asked: Request, caller: Caller) {
  const scope = scopeOf(caller)
  const { place } = await placeOf(db, asked, caller)
  if (place.deviceId === null) return readDevicesOf(db, place, scope, MOST_DEVICES)
  return { devices: [await foundRow(findPlacedDevice(db, place.deviceId, scope))], more: 0 }
}

interface Question {
  readonly deviceId: DeviceId
  readonly asked: ReturnType<typeof judgedFields>
  readonly periodId: number
  readonly isPart: boolean
  readonly from: Date
}

/** Finds when a condition would have been met: silence and darkness are waited for, the others judge each reading. */
function replay({ pool, clock }: PreviewDeps, { asked, ...question }: Question): Promise<Omit<Looked, 'device'>> {
  const waited = { ...question, waitMs: minutesMs(asked.minutes ?? 0) }
  if (asked.kind === 'silent') return pastSilence(pool, waited)
  if (asked.kind === 'dark') return pastDarkness(pool, { ...waited, now: clock.now() })
  return replayRequested(pool, { ...question, asked })
}

/** Lists what to replay: a condition on every display is replayed for each of them. */
function asksOf(fields: ConditionFields) {
  const parts = partsOf(fields)
  const { periodId } = fields
  if (parts.length === 0) return [{ asked: judgedFields(fields), periodId, isPart: false }]
  return parts.map((part) => ({ asked: judgedFields({ ...fields, ...part }), periodId, isPart: true }))
}

function together(replayed: readonly Omit<Looked, 'device'>[]): Omit<Looked, 'device'> {
  const oldest = replayed.flatMap(({ oldestMs }) => oldestMs ?? [])
  return {
    stretches: replayed.flatMap(({ stretches }) => stretches).toSorted((a, b) => a.fromMs - b.fromMs),
    oldestMs: oldest.length === 0 ? undefined : Math.min(...oldest),
  }
}

function toPreview(
  looked: readonly Looked[],
  days: number,
  nowMs: number,
  skippedDeviceCount: number,
): ConditionPreview {
  const since = Math.min(...looked.map(({ oldestMs }) => oldestMs ?? Number.POSITIVE_INFINITY))
  const devices = looked
    .map(({ device, stretches }) => ({
      deviceId: device.id,
      deviceName: device.name,
      timesMet: stretches.length,
      activeMinutes: activeMinutes(stretches, nowMs - days * DAY_MS, nowMs),
      stretches,
    }))
    .sort((a, b) => b.timesMet - a.timesMet || b.activeMinutes - a.activeMinutes)
  return {
    counts: PREVIEW_DAYS.filter((some) => some <= days).map((some) => {
      const fromMs = nowMs - some * DAY_MS
      const met = looked.map(({ stretches }) => stretches.filter((stretch) => stretch.fromMs >= fromMs).length)
      return {
        days: some,
        timesMet: met.reduce((sum, count) => sum + count, 0),
        activeMinutes: looked.reduce((sum, { stretches }) => sum + activeMinutes(stretches, fromMs, nowMs), 0),
        deviceCount: met.filter((count) => count > 0).length,
      }
    }),
    devices: devices.filter(({ timesMet }) => timesMet > 0).map(({ stretches: _, ...device }) => device),
    stretches: (devices[0]?.stretches ?? []).slice(-MOST_STRETCHES).map(({ fromMs, toMs }) => ({
      from: new Date(fromMs).toISOString(),
      to: toMs === undefined ? null : new Date(toMs).toISOString(),
    })),
    skippedDeviceCount,
    since: Number.isFinite(since) ? new Date(since).toISOString() : null,
  }
}

/** Sums the active minutes within the period; an active stretch without an end lasts until now. */
function activeMinutes(stretches: readonly ActiveStretch[], fromMs: number, nowMs: number): number {
  let activeMs = 0
  for (const stretch of stretches) {
    activeMs += Math.max(0, (stretch.toMs ?? nowMs) - Math.max(stretch.fromMs, fromMs))
  }
  return Math.round((activeMs / MINUTE_MS) * 100) / 100
}
