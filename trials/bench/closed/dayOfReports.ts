import type pg from 'pg'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import { readingTable } from '#server/db/partitions/readingTables.ts'
import { recordAgent } from '../ingest/agentMinutes.ts'

/** Models of outdoor displays with one, two and three sides and different components. */
const MODELS = [1, 15, 22]
const WALK_EVERY_MS = 5 * MINUTE_MS
/** Devices of the walk have few numbers, so there are more of them. */
const WALKERS = 20
const ROWS_AT_ONCE = 5_000
/** Reports arrive this long after they were made, and a little more. */
const ARRIVE_AFTER_MS = 180

export type Shape = 'agent' | 'minute' | 'walk'

interface Row {
  readonly device_id: number
  readonly number: number
  readonly device_dt: string
  readonly inserted: string
  readonly [field: string]: unknown
}

/** Fills a day with the reports of some devices. @returns how many numbers there are in them */
export async function fillDay(owner: pg.ClientBase, shape: Shape, devices: number, dayMs: number): Promise<number> {
  let numbers = 0
  const count = shape === 'walk' ? devices * WALKERS : devices
  for (let device = 1; device <= count; device++) {
    const rows = shape === 'walk' ? walk(device, dayMs) : await agent(shape, device, dayMs)
    for (const [table, its] of rows) {
      numbers += its.reduce((sum, row) => sum + numbersIn(row), 0)
      for (let at = 0; at < its.length; at += ROWS_AT_ONCE) {
        await owner.query(
          `insert into ${table} select * from json_populate_recordset(null::${table}, $1) on conflict do nothing`,
          [JSON.stringify(its.slice(at, at + ROWS_AT_ONCE))],
        )
      }
    }
  }
  return numbers
}

const numbersIn = (row: Row) => Object.values(row).filter((value) => typeof value === 'number').length - KEY_NUMBERS
const KEY_NUMBERS = 2

/**
 * What the agent really sends, with its own times: each look begins some seconds and the lateness of a timer after the
 * last one, and has the time at which its hardware had answered. Even on an idle machine and without any line to a
 * display a timer is a millisecond late. Or only its whole reports, each in time to the millisecond.
 */
const delay = () => ({ beginsMs: Math.random() * 1.2, readsMs: 2 + Math.random() * (Math.random() < 0.02 ? 30 : 3) })

async function agent(shape: Shape, device: number, firstAtMs: number): Promise<Map<string, Row[]>> {
  const modelId = MODELS[device % MODELS.length] as DeviceModelId
  const rows = new Map<string, Row[]>()
  const time = { firstAtMs, forMs: DAY_MS, ...(shape === 'agent' && { delay }) }
  for (const { offsetMs, reports } of await recordAgent(modelId, device, time)) {
    if (shape === 'minute' && offsetMs % MINUTE_MS !== 0) continue
    for (const { topic, json } of reports) {
      const [, name = '', number = '1'] = topic.split('/')
      const type = eventTypeByTopic(name)
      if (type === undefined) continue
      const its = rows.get(readingTable(type)) ?? []
      its.push(rowAt(device, Number(number), firstAtMs + offsetMs, JSON.parse(json)))
      rows.set(readingTable(type), its)
    }
  }
  return rows
}

/** The sober bound: a number with two decimals of which nobody knows where it goes. */
function walk(device: number, dayMs: number): Map<string, Row[]> {
  const rows: Row[] = []
  let [temp, load] = [20, 40]
  for (let offsetMs = 0; offsetMs < DAY_MS; offsetMs += WALK_EVERY_MS) {
    temp += (Math.random() - 0.5) * 2
    load += (Math.random() - 0.5) * 2
    rows.push(rowAt(device, 1, dayMs + offsetMs, { temp: rounded(temp), load: rounded(load) }))
  }
  return new Map([['reading_ups', rows]])
}

const rounded = (value: number) => Math.round(value * 100) / 100

function rowAt(deviceId: number, number: number, atMs: number, values: object): Row {
  const arrivedMs = atMs + ARRIVE_AFTER_MS + Math.floor(Math.random() * 60)
  return {
    ...{ device_id: deviceId, number },
    ...{ device_dt: new Date(atMs).toISOString(), inserted: new Date(arrivedMs).toISOString() },
    ...values,
  }
}
