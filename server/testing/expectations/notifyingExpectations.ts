import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import { CANARY, type Expectation, type Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly customers: Record<Target, CustomerId>
}

const ADMIN = 1
const NONE = 2_000_000_000
const SETTINGS = { address: '', recipient: 'topic', user: '', issueType: '', transitionId: '' }

/** Expectations about channels, routes and on-call schedules of a customer. */
export function notifyingExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  let channelId = NONE
  let routeId = NONE
  let rotaId = NONE
  let userId = NONE

  const isThere = (target: Target) => target === 'own' || target === 'foreign'
  async function add(target: Target): Promise<void> {
    channelId = routeId = rotaId = userId = NONE
    if (!isThere(target)) return
    const { pool } = world().api
    // All callers together make more tests than a customer may in a minute.
    await pool.query(`update channel_delivery set at = at - interval '1 hour' where at > now() - interval '1 hour'`)
    const customerId = world().customers[target]
    const name = target === 'foreign' ? CANARY : 'Ours'
    const idOf = async (sql: string, ...values: unknown[]) => (await pool.query(sql, values)).rows[0].id as number
    channelId = await idOf(
      `insert into channel (name, kind, settings, secret, customer_id, most_per_hour) values ($1, 'webhook', $2, $3, $4, 30) returning id`,
      name,
      JSON.stringify({ ...SETTINGS, recipient: '' }),
      'https://127.0.0.1:1/hook',
      customerId,
    )
    await pool.query(
      `insert into incident_message (incident_id, share_id, channel_id, wanted_at) values (7, $2, $1, now())`,
      [channelId, customerId],
    )
    await pool.query(
      `insert into channel_delivery (channel_id, kind, at, outcome, answer) values ($1, 'test', now(), 'done', $2)`,
      [channelId, name],
    )
    routeId = await idOf(
      `insert into notify_route (name, severity_id, customer_id, steps) values ($1, 2, $2, $3) returning id`,
      name,
      customerId,
      JSON.stringify([{ afterMinutes: 0, channelId }]),
    )
    userId = await idOf(
      `insert into app_user (username, role_id, customer_id) select gen_random_uuid() || '@x.example', min(id), $1 from app_role returning id`,
      customerId,
    )
    rotaId = await idOf(
      `insert into rota (name, customer_id, time_zone, first_day, hand_over, every_days, members)
       values ($1, $2, 'UTC', '2026-01-01', '08:00', 7, $3) returning id`,
      name,
      customerId,
      JSON.stringify([{ userId, channelId: null }]),
    )
  }

  const changing = (path: string, body: () => object): Readonly<Record<string, Expectation>> => ({
    [path]: { allowed: [ADMIN], about: 'customer', asked: () => ({ method: 'POST', body: body() }), prepare: add },
  })
  const listing = (path: string): Readonly<Record<string, Expectation>> => ({
    [path]: { allowed: [ADMIN], asked: () => ({}), prepare: () => add('foreign') },
  })

  /** Whoever has a page may set it; a page that does not exist belongs to nobody. */
  const ofPage = (path: string, body: object): Readonly<Record<string, Expectation>> => ({
    [path]: {
      allowed: [ADMIN],
      about: 'customer',
      asked: (target) => ({ method: 'POST', body: { customerId: world().customers[target], ...body } }),
      prepare: async (target) => {
        const { pool } = world().api
        await pool.query('delete from status_page')
        if (!isThere(target)) return
        await pool.query(
          `insert into status_page (customer_id, mode, title, secret, secret_hash, shows_planned, takes_subscribers)
           values ($1, 'secret', $2, 'x', 'x', true, true)`,
          [world().customers[target], target === 'foreign' ? CANARY : 'Ours'],
        )
      },
    },
  })

  return {
    ...listing('Channel/GetChannelList'),
    ...changing('Channel/SetChannel', () => ({
      id: channelId,
      name: 'Another name',
      kind: 'webhook',
      settings: {},
      secret: 'https://hooks.example/other',
    })),
    ...changing('Channel/DelChannel', () => ({ id: channelId })),
    ...changing('Channel/TestChannel', () => ({ id: channelId })),
    ...changing('Channel/RotateSigningKey', () => ({ id: channelId })),
    ...changing('Channel/SetInbound', () => ({ id: channelId, isOn: true })),
    ...changing('Channel/ReplayDelivery', () => ({ id: channelId, incidentId: 7 })),
    'Channel/GetDeliveryList': {
      allowed: [ADMIN],
      about: 'customer',
      asked: () => ({ query: { id: channelId } }),
      prepare: add,
    },
    ...listing('NotifyRoute/GetNotifyRouteList'),
    'NotifyRoute/PreviewNotifyRoute': {
      allowed: [ADMIN],
      about: 'customer',
      asked: () => ({ query: { id: routeId, severityId: 3 } }),
      prepare: add,
    },
    ...changing('NotifyRoute/SetNotifyRoute', () => ({
      id: routeId,
      name: 'Another name',
      severityId: 1,
      steps: [{ afterMinutes: 5, channelId }],
    })),
    ...changing('NotifyRoute/DelNotifyRoute', () => ({ id: routeId })),
    ...listing('StatusPage/GetStatusPageList'),
    ...ofPage('StatusPage/SetStatusPage', {
      mode: 'public',
      slug: 'another',
      title: 'Another title',
      severityId: null,
      showsPlanned: false,
      takesSubscribers: false,
    }),
    ...ofPage('StatusPage/RotateStatusAddress', {}),
    ...listing('Rota/GetRotaList'),
    ...changing('Rota/SetRota', () => ({
      id: rotaId,
      name: 'Another name',
      timeZone: 'Europe/Prague',
      firstDay: '2026-02-01',
      handOver: '09:00',
      everyDays: 1,
      members: [{ userId, channelId: null }],
    })),
    ...changing('Rota/DelRota', () => ({ id: rotaId })),
    ...changing('Rota/SetRotaOverride', () => ({
      rotaId,
      userId,
      from: new Date().toISOString(),
      to: new Date(Date.now() + 3_600_000).toISOString(),
    })),
  }
}
