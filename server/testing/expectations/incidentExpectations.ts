import type pg from 'pg'
import type { DeviceId, UserId } from '#domain/ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { foldDue } from '#server/incidents/foldDue.ts'
import { hashOfLink } from '#server/notifications/acknowledgeLinks.ts'
import { addUser } from '#server/testing/callers.ts'
import { CANARY, type Expectation, type Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly devices: Record<Target, { readonly id: DeviceId }>
}

const ADMIN = 1
const MANAGER = 2
const SEER = 8
const TOKEN = 'L'.repeat(43)

export function incidentExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  const ids: Partial<Record<Target, number>> = {}
  let otherId = 0
  let alertId = 0
  let number = 0

  async function raise(target: Target, minutesAgo: number) {
    const { pool } = world().api
    const { rows } = await pool.query<{ id: number }>(
      `with opened as (
         insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
           action_type_id, condition_text, metric_value_dec, state_since)
         values ($1, $3, now() - make_interval(mins => $4), now(), 4101, 'GT', 10, 1, 1, $2, 20, now()) returning id, created_at),
       told as (
         insert into alert_event (device_id, alert_id, kind, at) select $1, id, 'opened', created_at from opened),
       due as (insert into incident_due (device_id, alert_id) select $1, id from opened)
       select id from opened`,
      [
        world().devices[target].id,
        target === 'foreign' || target === 'movedAway' ? CANARY : 'Warm',
        1_000_000 + number++,
        minutesAgo,
      ],
    )
    alertId = rows[0]?.id ?? 0
    await inTransaction(pool, foldDue)
    const found = await pool.query<{ id: number }>('select incident_id as id from incident_part where alert_id = $1', [
      alertId,
    ])
    return found.rows[0]?.id ?? 0
  }

  async function prepare(target: Target) {
    if (target === 'never') return
    // They are days apart, so that each is an incident of its own.
    ids[target] = await raise(target, 3_000 * ++number)
  }

  const id = (target: Target) => ids[target] || 2_000_000_000
  const change = (path: string, more: () => object): Readonly<Record<string, Expectation>> => ({
    [path]: {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({ method: 'POST', body: { id: id(target), ...more() } }),
      prepare,
    },
  })

  return {
    'Incident/GetIncidentList': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id, pageSize: 10 } }),
      prepare,
    },
    'Incident/GetIncident': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { id: id(target) } }),
      prepare,
    },
    'Incident/GetIncidentAlerts': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { id: id(target) } }),
      prepare,
    },
    'Incident/GetIncidentNotices': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { id: id(target) } }),
      prepare,
    },
    ...linkCalls(world, async () => {
      await prepare('own')
      return ids.own
    }),
    ...change('Incident/AcknowledgeIncident', () => ({ note: 'Mine' })),
    ...change('Incident/NoteIncident', () => ({ note: 'The fuse is blown' })),
    ...change('Incident/SnoozeIncident', () => ({ until: new Date(Date.now() + 3_600_000).toISOString() })),
    'Incident/MergeIncidents': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      // An own incident stands beside it, so that a hidden one has to refuse the whole call.
      asked: (target) => ({ method: 'POST', body: { id: otherId, otherIds: [id(target)] } }),
      prepare: async (target) => {
        otherId = await raise('own', 3_000 * ++number)
        await prepare(target)
      },
    },
    'Incident/SplitIncident': {
      allowed: [ADMIN, MANAGER],
      about: 'device',
      asked: (target) => ({ method: 'POST', body: { id: id(target), alertIds: [alertId] } }),
      prepare: async (target) => {
        if (target === 'never') return
        const minutesAgo = 3_000 * ++number
        await raise(target, minutesAgo)
        ids[target] = await raise(target, minutesAgo - 1)
      },
    },
  }
}

/** Expectations about links in messages, for a reader who may open the incident. */
function linkCalls(
  world: () => World,
  newIncident: () => Promise<number | undefined>,
): Readonly<Record<string, Expectation>> {
  let linkedUser: UserId | undefined
  async function addLink() {
    const { pool } = world().api
    linkedUser ??= await addUser(pool, { username: 'on-call@staff.example', functions: [MANAGER] })
    await pool.query(
      `insert into acknowledge_link (token_hash, incident_id, user_id, expires_at) values ($1, $2, $3, now() + interval '1 hour')
       on conflict (token_hash) do update set incident_id = excluded.incident_id, used_at = null`,
      [hashOfLink(TOKEN), await newIncident(), linkedUser],
    )
  }
  const expectation: Expectation = {
    allowed: 'everybody',
    asked: () => ({ method: 'POST', body: { token: TOKEN } }),
    prepare: addLink,
  }
  return { 'Incident/GetLinkedIncident': expectation, 'Incident/AcknowledgeByLink': expectation }
}
