import type { DeviceId, UserId } from '#domain/ids.ts'
import { CANARY, type Expectation, PERIOD, type Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: { query(sql: string, values: unknown[]): Promise<{ rows: { id: number }[] }> } }
  readonly devices: Record<Target, { readonly id: DeviceId }>
}

const [ADMIN, MANAGER, SEER] = [1, 2, 8] as const
const NOBODY = 2_000_000_000 as UserId
const KEY = '6c0b6f5e-51d1-4a4c-9d66-0d0a3a0c0b11'
const NO_PHOTO = Buffer.from('text').toString('base64')

/** Technicians, photos and calendars are kept apart by `fieldVisits.test.ts`. */
export function visitExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  const visitIds = {} as Record<Target, number>
  async function addVisit(target: Target) {
    if (target === 'never') return
    const { rows } = await world().api.pool.query(
      `insert into field_visit (device_id, customer_id, start_at, end_at, bring)
       select id, customer_id, now(), now(), $2 from device where id = $1 returning id`,
      [world().devices[target].id, target === 'foreign' || target === 'movedAway' ? CANARY : 'A fan'],
    )
    visitIds[target] = rows[0]?.id ?? 0
  }
  const ofVisit = { about: 'device', prepare: addVisit } as const
  const idOf = (target: Target) => visitIds[target] ?? NOBODY
  const period = { startDt: PERIOD.dateFrom, endDt: PERIOD.dateTo }
  const post = (body: object) => ({ method: 'POST' as const, body })
  return {
    'Visit/GetVisitList': {
      allowed: [ADMIN, MANAGER, SEER],
      ...ofVisit,
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
    },
    'Visit/GetVisit': {
      allowed: [ADMIN, MANAGER, SEER],
      ...ofVisit,
      asked: (target) => ({ query: { id: idOf(target) } }),
    },
    'Visit/GetPhoto': {
      allowed: [ADMIN, MANAGER, SEER],
      asked: () => ({ query: { id: NOBODY, key: KEY } }),
      refusal: 'not_found',
    },
    'Visit/SetVisit': {
      allowed: [ADMIN, MANAGER],
      asked: () => post({ deviceId: world().devices.own.id, technicianId: NOBODY, ...period }),
      refusal: 'invalid_request',
    },
    'Visit/CancelVisit': { allowed: [ADMIN, MANAGER], ...ofVisit, asked: (target) => post({ id: idOf(target) }) },
    'Visit/RecordVisit': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => post({ deviceId: world().devices[target].id, actionComment: 'Cleaned', ...period }),
    },
    'Visit/AddPhoto': {
      allowed: [ADMIN, MANAGER],
      asked: () => post({ visitId: NOBODY, key: KEY, takenDt: PERIOD.dateFrom, jpeg: NO_PHOTO }),
      refusal: 'invalid_request',
    },
    'Visit/GetCalendarAddress': { allowed: [ADMIN, MANAGER], asked: () => ({}) },
    'Visit/NewCalendarAddress': { allowed: [ADMIN, MANAGER], asked: () => post({}) },
    'Visit/EndCalendarAddress': { allowed: [ADMIN, MANAGER], asked: () => post({}) },
  }
}
