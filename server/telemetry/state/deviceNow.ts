import { CLIENT_EVENT_TYPE_ID, DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import { DISPLAY_NUMBERS, displayColumn } from '#server/fleet/hottestDisplay.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import type { ComponentFold } from './unmerged.ts'

interface ListedField {
  readonly layout: EventLayout
  readonly number: number
  readonly index: number
  readonly name: string
  readonly column: string
  readonly type: 'real' | 'text'
}

function listedField(eventTypeId: number, name: string, number = 1, column = name): ListedField {
  const layout = layoutByTypeId(eventTypeId)
  const index = layout?.indexByName.get(name)
  if (layout === undefined || index === undefined) throw new Error(`The catalogue has no ${name}.`)
  return { layout, number, index, name, column, type: layout.fields[index]?.storage === 'text' ? 'text' : 'real' }
}

const LISTED: readonly ListedField[] = [
  ...DISPLAY_NUMBERS.flatMap((number) =>
    ['internal_temp', 'intake_temp'].map((name) =>
      listedField(DISPLAY_EVENT_TYPE_ID, name, number, displayColumn(number, name)),
    ),
  ),
  listedField(CLIENT_EVENT_TYPE_ID, 'client_version'),
]
/** The listed fields of each layout, with their indexes in `LISTED`. */
const LISTED_OF = Map.groupBy([...LISTED.entries()], ([, { layout }]) => layout)
const listedOf = (layout: EventLayout) => LISTED_OF.get(layout) ?? []
const DEVICES_AT_ONCE = 1_000
/** While the listed values of a device stay what they are, lists need only know that it was heard. */
const UNCHANGED_EVERY_MS = 50_000
/** All numbers in lists are temperatures. */
const NEWS_DEGREES = 1

interface Written {
  readonly atMs: number
  readonly values: readonly (number | string | null)[]
}

interface DeviceNow {
  newestMs: number
  /** The receive time of its newest report, while `newestMs` is its device time. */
  heardMs: number
  /** How far its clock is ahead of ours: 0 where it is right, undefined while nothing shows it. */
  clockErrorMs: number | undefined
  /** Values in the order of `LISTED`. */
  readonly values: (number | string | null)[]
  readonly valueMs: number[]
}

/** Collects what lists show of devices that reported, and writes it for all together (docs/decisions/0161). */
export class DevicesNow {
  readonly #devices = new Map<DeviceId, DeviceNow>()
  /** The devices that were last written with a wrong clock. */
  readonly #wrongClocks = new Set<DeviceId>()
  /** What was written of a device within `UNCHANGED_EVERY_MS`. */
  readonly #written = new Map<DeviceId, Written>()

  note(reports: readonly CheckedReport[]): void {
    for (const { deviceId, layout, number, atMs, isBelieved, receivedAtMs, clockErrorMs, numbers, texts } of reports) {
      const device = this.#device(deviceId)
      device.heardMs = Math.max(device.heardMs, receivedAtMs)
      device.clockErrorMs = clockErrorMs ?? device.clockErrorMs
      if (!isBelieved) continue
      if (atMs > device.newestMs) device.newestMs = atMs
      for (const [place, field] of listedOf(layout)) {
        if (field.number !== number) continue
        const value = field.type === 'text' ? texts?.[field.index] : numbers[field.index]
        if (value !== undefined && !Number.isNaN(value)) take(device, place, value, atMs)
      }
    }
  }

  noteFolds(folds: readonly ComponentFold[]): void {
    for (const { deviceId, layout, number, newestMs, receivedAt, fields } of folds) {
      const device = this.#device(deviceId)
      device.heardMs = Math.max(device.heardMs, receivedAt.getTime())
      if (newestMs > device.newestMs) device.newestMs = newestMs
      for (const [place, field] of listedOf(layout)) {
        const known = field.number === number ? fields.get(field.name) : undefined
        if (known !== undefined) take(device, place, known[0], known[1])
      }
    }
  }

  /**
   * Writes new values at once, and otherwise once a minute that a device was heard. When that fails, everything unwritten
   * is kept for the next time.
   *
   * @returns the devices whose clocks have become wrong or right
   */
  write(statements: Statements): Promise<readonly DeviceId[]> {
    const longAgoMs = performance.now() - UNCHANGED_EVERY_MS
    for (const [deviceId, { atMs }] of this.#written) if (atMs <= longAgoMs) this.#written.delete(deviceId)
    return this.#write(
      statements,
      [...this.#devices].filter((device) => this.#isNews(device)),
    )
  }

  /** Writes everything that was collected, because nothing more comes. */
  writeAll(statements: Statements): Promise<readonly DeviceId[]> {
    return this.#write(statements, [...this.#devices])
  }

  #isNews([deviceId, { values, clockErrorMs }]: readonly [DeviceId, DeviceNow]): boolean {
    const written = this.#written.get(deviceId)
    if (written === undefined) return true
    if (clockErrorMs !== undefined && (clockErrorMs !== 0 || this.#wrongClocks.has(deviceId))) return true
    return values.some((value, place) => value !== null && differs(value, written.values[place] ?? null))
  }

  async #write(statements: Statements, waiting: (readonly [DeviceId, DeviceNow])[]): Promise<readonly DeviceId[]> {
    for (const [deviceId] of waiting) this.#devices.delete(deviceId)
    // Every process writes in the same order, so that two never wait for each other in a circle.
    waiting.sort(([a], [b]) => a - b)
    const changed: DeviceId[] = []
    try {
      while (waiting.length > 0) {
        const some = waiting.slice(0, DEVICES_AT_ONCE)
        await statements.query(WRITE_SQL, parametersOf(some))
        waiting.splice(0, some.length)
        for (const [deviceId, { values }] of some) this.#remember(deviceId, values)
        changed.push(...some.filter((one) => this.#isClockChanged(one)).map(([deviceId]) => deviceId))
      }
      return changed
    } catch (error) {
      for (const [deviceId, { newestMs, heardMs, clockErrorMs, values, valueMs }] of waiting) {
        const device = this.#device(deviceId)
        device.heardMs = Math.max(device.heardMs, heardMs)
        device.clockErrorMs ??= clockErrorMs
        device.newestMs = Math.max(device.newestMs, newestMs)
        for (const [place, value] of values.entries()) {
          if (value !== null) take(device, place, value, valueMs[place] ?? 0)
        }
      }
      throw error
    }
  }

  #remember(deviceId: DeviceId, values: DeviceNow['values']): void {
    const before = this.#written.get(deviceId)?.values
    this.#written.set(deviceId, {
      atMs: performance.now(),
      values: before === undefined ? values : values.map((value, place) => value ?? before[place] ?? null),
    })
  }

  #isClockChanged([deviceId, { clockErrorMs }]: readonly [DeviceId, DeviceNow]): boolean {
    if (clockErrorMs === undefined) return false
    if (clockErrorMs === 0) return this.#wrongClocks.delete(deviceId)
    const isNews = !this.#wrongClocks.has(deviceId)
    this.#wrongClocks.add(deviceId)
    return isNews
  }

  #device(deviceId: DeviceId): DeviceNow {
    let device = this.#devices.get(deviceId)
    if (device === undefined) {
      const nothing = Number.NEGATIVE_INFINITY
      device = {
        newestMs: nothing,
        heardMs: nothing,
        clockErrorMs: undefined,
        values: LISTED.map(() => null),
        valueMs: LISTED.map(() => nothing),
      }
      this.#devices.set(deviceId, device)
    }
    return device
  }
}

function take({ values, valueMs }: DeviceNow, place: number, value: number | string, atMs: number): void {
  if (atMs <= (valueMs[place] ?? 0)) return
  values[place] = value
  valueMs[place] = atMs
}

function differs(value: number | string, written: number | string | null): boolean {
  if (typeof value === 'number' && typeof written === 'number') return Math.abs(value - written) >= NEWS_DEGREES
  return value !== written
}

const momentOf = (ms: number | undefined) => (ms === undefined || !Number.isFinite(ms) ? null : new Date(ms))

function parametersOf(devices: readonly (readonly [DeviceId, DeviceNow])[]): unknown[] {
  return [
    devices.map(([deviceId]) => deviceId),
    devices.map(([, { newestMs }]) => momentOf(newestMs)),
    devices.map(([, { heardMs }]) => momentOf(heardMs)),
    devices.map(([, { clockErrorMs }]) => clockErrorMs ?? null),
    ...LISTED.flatMap((_, place) => [
      devices.map(([, { values }]) => values[place] ?? null),
      devices.map(([, { valueMs }]) => momentOf(valueMs[place])),
    ]),
  ]
}

const columns = LISTED.flatMap(({ column }) => [column, `${column}_at`])
const newer = (column: string) => `excluded.${column}_at > coalesce(n.${column}_at, '-infinity')`

/** Each value moves forward alone. */
const WRITE_SQL = `
  insert into device_now as n (device_id, newest_at, heard_at, clock_error_ms, ${columns.join(', ')})
  select * from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[], $4::bigint[],
    ${LISTED.map(({ type }, place) => `$${place * 2 + 5}::${type}[], $${place * 2 + 6}::timestamptz[]`).join(', ')})
  on conflict (device_id) do update set
    newest_at = greatest(n.newest_at, excluded.newest_at),
    heard_at = greatest(n.heard_at, excluded.heard_at),
    clock_error_ms = case when excluded.clock_error_ms is null then n.clock_error_ms else nullif(excluded.clock_error_ms, 0) end,
    ${LISTED.map(
      ({ column }) =>
        `${column} = case when ${newer(column)} then excluded.${column} else n.${column} end,
         ${column}_at = case when ${newer(column)} then excluded.${column}_at else n.${column}_at end`,
    ).join(',\n    ')}`
