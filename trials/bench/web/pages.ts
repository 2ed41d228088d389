import type pg from 'pg'
import { componentModelById } from '#domain/components/componentModels.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'

/** Sizes are in kB by gzip before the page's frame is there; requests are those before it is usable; times are in ms. */
export interface Limits {
  readonly mustKb: number
  readonly mustRequests?: number
  readonly mustPaintMs?: number
  readonly mustBlockedMs?: number
}

export interface BenchPage extends Limits {
  readonly name: string
  readonly path: string
  readonly frame: string
  readonly usable: string
}

const EACH = { frame: '#content h1', mustKb: 220, mustRequests: 25, mustPaintMs: 3_000, mustBlockedMs: 150 }
const ROWS = '.table tbody tr'
/** The page has its title and panels, and nothing that is still loading. */
const DRAWN = '#content:has(h1):has(.panel):not(:has(.loading-skeleton, .chart-loading))'

export const SIGN_IN: BenchPage = {
  name: 'sign-in page',
  path: '/login',
  frame: 'input[type=password]',
  usable: 'input[type=password]',
  mustKb: 100,
  mustRequests: 25,
  mustPaintMs: 2_000,
  mustBlockedMs: 150,
}

const OVERVIEW: BenchPage = {
  ...EACH,
  name: 'Overview',
  path: '/overview',
  usable: '.kpi-value:not([data-loading])',
  mustKb: 138,
  mustPaintMs: 2_000,
}

const list = (name: string, path: string): BenchPage => ({ ...EACH, name, path, usable: ROWS })
const page = (name: string, path: string): BenchPage => ({ ...EACH, name, path, usable: DRAWN })

interface MeasuredDevice {
  readonly id: number
  readonly guid: string
  readonly modelId: DeviceModelId
  readonly alertId: number
}

/** The pages of the menu in its order, and those of one device and of one alert. */
export async function pagesOf(db: pg.Client): Promise<readonly BenchPage[]> {
  const { rows } = await db.query<MeasuredDevice>(
    `select d.id, d.guid, d.model_id as "modelId", a.id as "alertId" from alert a join device d on d.id = a.device_id
     where a.status_id = 1 order by a.id limit 1`,
  )
  const [device] = rows
  if (device === undefined) throw new Error('The fleet has no open alert.')
  await fit(db, device)
  const { guid, alertId } = device
  return [
    OVERVIEW,
    list('Devices', '/devices'),
    page('Locations', '/locations'),
    list('Alerts', '/alerts'),
    page('Incidents', '/incidents'),
    page('Maintenance windows', '/maintenance-windows'),
    page('Analytics', '/analytics'),
    page('Audit log', '/audit-log'),
    page('Alert Thresholds', '/thresholds'),
    list('Users', '/users'),
    page('Single sign-on', '/single-sign-on'),
    list('Roles', '/roles'),
    page('Routes', '/notifications/routes'),
    page('On-call', '/notifications/on-call'),
    page('Channels', '/notifications/channels'),
    list('Customers', '/customers'),
    page('Status pages', '/status-pages'),
    page('Releases', '/device-software/releases'),
    page('Rollouts', '/device-software/rollouts'),
    page('System', '/system'),
    page('Device status', `/devices/${guid}/status`),
    page('Device details', `/devices/${guid}/details`),
    page('Device components', `/devices/${guid}/device-components`),
    page('Device setup', `/devices/${guid}/setup`),
    page('Alert', `/alerts/alert-details?data=${alertId}`),
  ]
}

/** Without components its pages would have nothing to show. */
async function fit(db: pg.Client, { id, modelId }: MeasuredDevice) {
  for (const { componentModelId, number, label, als } of standardComponents(modelId)) {
    await db.query(
      `insert into device_component (device_id, component_model_id, category_id, number, label, als)
       values ($1, $2, $3, $4, $5, $6)`,
      [id, componentModelId, componentModelById(componentModelId)?.categoryId, number, label, als],
    )
  }
}
