import { CLIENT_EVENT_TYPE_ID, DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Statements } from '#server/db/statements.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/door/eventLayout.ts'
import type { CheckedReport } from '#server/telemetry/door/submission.ts'
import type { ComponentFold } from './unmerged.ts'

/** A field of component 1 that lists show of every device. */
interface ListedField {
  readonly layout: EventLayout
  readonly index: number
  readonly name: string
  readonly type: 'real' | 'text'
}

function listedField(eventTypeId: number, name: string): ListedField {
  const layout = layoutByTypeId(eventTypeId)
  const index = layout?.indexByName.get(name)
  if (layout === undefined || index === undefined) throw new Error(`The catalogue has no ${name}.`)
  return { layout, index, name, type: layout.fields[index]?.storage === 'text' ? 'text' : 'real' }
}

const LISTED: readonly ListedField[] = [
  listedField(DISPLAY_EVENT_TYPE_ID, 'internal_temp'),
  listedField(DISPLAY_EVENT_TYPE_ID, 'intake_temp'),
  listedField(CLIENT_EVENT_TYPE_ID, 'client_version'),
]
const LISTED_LAYOUTS = new Set(LISTED.map(({ layout }) => layout))
const DEVICES_AT_ONCE = 1_000

interface DeviceNow {
  newestMs: number
  /** In the order of `LISTED`. */
  readonly values: (number | string | null)[]
  readonly valueMs: number[]
}

/** What lists show of devices that reported: gathered as it comes, and written all together (docs/decisions/0161). */
export class DevicesNow {
  #devices = new Map<DeviceId, DeviceNow>()

  /** Reports that are stored. */
  note(reports: readonly CheckedReport[]): void {
    for (const { deviceId, layout, number, atMs, claimedAtMs, numbers, texts } of reports) {
      if (claimedAtMs !== undefined) continue
      const device = this.#device(deviceId)
      if (atMs > device.newestMs) device.newestMs = atMs
      if (number !== 1 || !LISTED_LAYOUTS.has(layout)) continue
      for (const [place, field] of LISTED.entries()) {
        if (field.layout !== layout) continue
        const value = field.type === 'text' ? texts?.[field.index] : numbers[field.index]
        if (value !== undefined && !Number.isNaN(value)) take(device, place, value, atMs)
      }
    }
  }

  /** What was found in stored readings. */
  noteFolds(folds: readonly ComponentFold[]): void {
    for (const { deviceId, layout, number, newestMs, fields } of folds) {
      const device = this.#device(deviceId)
      if (newestMs > device.newestMs) device.newestMs = newestMs
      if (number !== 1) continue
      for (const [place, field] of LISTED.entries()) {
        const known = field.layout === layout ? fields.get(field.name) : undefined
        if (known !== undefined) take(device, place, known[0], known[1])
      }
    }
  }

  /** Nothing of it is lost when that fails. */
  async write(statements: Statements): Promise<void> {
    const taken = this.#devices
    this.#devices = new Map()
    // In one order everywhere, so that two processes never wait for each other in a circle.
    const waiting = [...taken].sort(([a], [b]) => a - b)
    try {
      while (waiting.length > 0) {
        const some = waiting.slice(0, DEVICES_AT_ONCE)
        await statements.query(WRITE_SQL, parametersOf(some))
        waiting.splice(0, some.length)
      }
    } catch (error) {
      for (const [deviceId, { newestMs, values, valueMs }] of waiting) {
        const device = this.#device(deviceId)
        device.newestMs = Math.max(device.newestMs, newestMs)
        for (const [place, value] of values.entries()) {
          if (value !== null) take(device, place, value, valueMs[place] ?? 0)
        }
      }
      throw error
    }
  }

  #device(deviceId: DeviceId): DeviceNow {
    let device = this.#devices.get(deviceId)
    if (device === undefined) {
      const nothing = Number.NEGATIVE_INFINITY
      device = { newestMs: nothing, values: LISTED.map(() => null), valueMs: LISTED.map(() => nothing) }
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

const momentOf = (ms: number | undefined) => (ms === undefined || !Number.isFinite(ms) ? null : new Date(ms))

function parametersOf(devices: readonly (readonly [DeviceId, DeviceNow])[]): unknown[] {
  return [
    devices.map(([deviceId]) => deviceId),
    devices.map(([, { newestMs }]) => momentOf(newestMs)),
    ...LISTED.flatMap((_, place) => [
      devices.map(([, { values }]) => values[place] ?? null),
      devices.map(([, { valueMs }]) => momentOf(valueMs[place])),
    ]),
  ]
}

const columns = LISTED.flatMap(({ name }) => [name, `${name}_at`])
const newer = (name: string) => `excluded.${name}_at > coalesce(n.${name}_at, '-infinity')`

/** Each value moves forwards alone. */
const WRITE_SQL = `
  insert into device_now as n (device_id, newest_at, ${columns.join(', ')})
  select * from unnest($1::integer[], $2::timestamptz[],
    ${LISTED.map(({ type }, place) => `$${place * 2 + 3}::${type}[], $${place * 2 + 4}::timestamptz[]`).join(', ')})
  on conflict (device_id) do update set
    newest_at = greatest(n.newest_at, excluded.newest_at),
    ${LISTED.map(
      ({ name }) =>
        `${name} = case when ${newer(name)} then excluded.${name} else n.${name} end,
         ${name}_at = case when ${newer(name)} then excluded.${name}_at else n.${name}_at end`,
    ).join(',\n    ')}`
