import type pg from 'pg'
import type { ProvedRow } from '#contract/http/insight/lightProofs.ts'
import { READING_HOLDS_MS, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { merged } from '#domain/darkness/minutes/lightDays.ts'
import { type KnownLight, knownLight, type ProvedPlay, provePlay } from '#domain/proof/lightProof.ts'
import type { Play } from '#domain/proof/plays.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { findPlayDevices, type PlayDevice } from './playDevices.store.ts'
import { type PlayDay, type PlayLevels, readPlayLevels } from './playLevels.store.ts'

/** So many days of devices are read at once; those of one device always together, because plays cross midnight. */
const DAYS_AT_ONCE = 100

export interface ProvedPlays {
  /** Ordered as the plays. */
  readonly rows: readonly ProvedRow[]
  readonly devices: readonly PlayDevice[]
}

interface AskedPlay {
  readonly index: number
  readonly play: Play
}

interface AskedDevice {
  readonly device: PlayDevice
  readonly plays: AskedPlay[]
}

/** Answers many plays by reading each day of each device once. */
export async function provedPlays(
  pool: pg.Pool,
  scope: Scope,
  plays: readonly Play[],
  now: Date,
): Promise<ProvedPlays> {
  const keys = [...new Set(plays.map(({ device }) => device))]
  const [guids, ids] = [keys.filter((key) => key.includes('-')), keys.filter((key) => !key.includes('-')).map(Number)]
  const devices = await findPlayDevices(pool, scope, { ids, guids })
  const asked = new Map(devices.map((device) => [device.id, { device, plays: [] as AskedPlay[] }]))
  const byKey = new Map(
    [...asked.values()].flatMap((one) => [one.device.guid, String(one.device.id)].map((key) => [key, one])),
  )
  const rows: ProvedRow[] = new Array(plays.length)
  for (const [index, play] of plays.entries()) {
    const one = byKey.get(play.device)
    const reason = reasonOf(play, one?.device)
    if (one && reason === undefined) one.plays.push({ index, play })
    else rows[index] = rowOf(play, one?.device.guid, { ...provePlay([], play), reason })
  }
  const batches = batchesOf([...asked.values()].filter((one) => one.plays.length > 0))
  // What comes next is read while this is folded.
  let next = readBatch(pool, batches[0])
  for (const [at, batch] of batches.entries()) {
    const levels = await next
    next = readBatch(pool, batches[at + 1])
    // Nobody awaits it if this batch fails, and its failure would end the process.
    next.catch(() => undefined)
    for (const one of batch.devices) fold(one, levels, rows, now)
  }
  return { rows, devices: devices.filter(({ id }) => (asked.get(id)?.plays.length ?? 0) > 0) }
}

/** A device of which a play is not the caller's to see is none. */
function reasonOf({ display, fromMs, toMs }: Play, device: PlayDevice | undefined): ProvedRow['reason'] {
  const isTheirs = device?.times.some((time) => time.fromMs <= fromMs && toMs <= time.toMs)
  if (device === undefined || !isTheirs) return 'noDevice'
  const { displayNumbers } = device
  return displayNumbers.length === 0 || (display !== undefined && !displayNumbers.includes(display))
    ? 'noDisplay'
    : undefined
}

interface Batch {
  readonly devices: readonly AskedDevice[]
  readonly days: readonly PlayDay[]
}

function batchesOf(asked: readonly AskedDevice[]): readonly Batch[] {
  const batches: { devices: AskedDevice[]; days: PlayDay[] }[] = []
  for (const one of asked) {
    const days = daysOf(one)
    const last = batches.at(-1)
    if (last === undefined || last.days.length + days.length > DAYS_AT_ONCE) batches.push({ devices: [one], days })
    else {
      last.devices.push(one)
      last.days.push(...days)
    }
  }
  return batches
}

/** A play begins with what was reported shortly before it. */
function daysOf({ device: { id: deviceId, displayNumbers }, plays }: AskedDevice): PlayDay[] {
  const days = new Map<number, Span[]>()
  for (const { play } of plays) {
    const beginMs = play.fromMs - READING_HOLDS_MS
    for (let dayMs = Math.floor(beginMs / DAY_MS) * DAY_MS; dayMs < play.toMs; dayMs += DAY_MS) {
      const window = { fromMs: Math.max(beginMs, dayMs), toMs: Math.min(play.toMs, dayMs + DAY_MS) }
      const known = days.get(dayMs)
      if (known) known.push(window)
      else days.set(dayMs, [window])
    }
  }
  return [...days.values()].map((windows) => ({ deviceId, displayNumbers, windows: merged(windows) }))
}

const readBatch = async (pool: pg.Pool, batch: Batch | undefined): Promise<PlayLevels> =>
  batch === undefined ? new Map() : readPlayLevels(pool, batch.days)

function fold({ device, plays }: AskedDevice, levels: PlayLevels, rows: ProvedRow[], now: Date): void {
  const displays = levels.get(device.id)
  const known = new Map<number | undefined, KnownLight>()
  for (const { index, play } of plays) {
    const { display } = play
    const numbers = display === undefined ? device.displayNumbers : [display]
    const light = known.get(display) ?? knownLight(numbers.map((number) => displays?.get(number) ?? []))
    known.set(display, light)
    const reason = play.toMs > now.getTime() ? 'notOver' : undefined
    rows[index] = rowOf(play, device.guid, { ...provePlay(light, play), reason })
  }
}

/** Names stand in the order in which they are signed, so that a long list is not copied to bring them in order. */
const rowOf = (
  { device, display, fromMs, toMs, name }: Play,
  guid: string | undefined,
  { certainty, dark, evidence, lit, measured, unknown, verdict, reason }: ProvedPlay & Pick<ProvedRow, 'reason'>,
): ProvedRow => ({
  ...{ certainty, dark, device: guid ?? device, display, evidence, from: secondText(fromMs), lit, measured },
  ...{ play: name === '' ? undefined : name, reason, to: secondText(toMs), unknown, verdict },
})

let lastDay = { day: Number.NaN, text: '' }

/** The plays of a list are of few days, and a `Date` for each of their moments would take seven times as long. */
function secondText(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  if (day !== lastDay.day) lastDay = { day, text: new Date(ms).toISOString().slice(0, 11) }
  const second = Math.floor((ms - day * DAY_MS) / 1000)
  return `${lastDay.text}${twoDigits(second / 3600)}:${twoDigits((second / 60) % 60)}:${twoDigits(second % 60)}Z`
}

const twoDigits = (value: number) => (value < 10 ? `0${Math.floor(value)}` : String(Math.floor(value)))
