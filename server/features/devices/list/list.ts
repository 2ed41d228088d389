import type { z } from 'zod'
import { listClientVersions, listDeviceTags, MOST_TAGS_OFFERED } from '#contract/http/devices/details.ts'
import {
  countDeviceList,
  type Device,
  type deviceListQuery,
  type devicePage,
  exportDevices,
  listDevices,
} from '#contract/http/devices/devices.ts'
import { type devicePinsQuery, listDevicePins } from '#contract/http/devices/pins.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { CustomerId } from '#domain/ids.ts'
import { isVersion } from '#domain/releases/version.ts'
import { byNewest, olderThan } from '#domain/releases/versionFilter.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { narrowScope } from '#server/fleet/customerLookup.ts'
import { searchTextsJob } from '#server/fleet/searchTexts.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { jsonTextRoute, route, rowsRoute } from '#server/http/call/route.ts'
import { askedPage, isPaged, readPage } from '#server/http/reading/pages.ts'
import { allDevices, countDevices, type DeviceListOrder, devicesOfPage } from './deviceList.store.ts'
import { readKey } from './deviceListKey.ts'
import { devicePinsJson } from './devicePins.store.ts'
import { usedTags } from './deviceTags.store.ts'
import { versionsIn } from './deviceVersions.store.ts'
import { understood } from './understoodQuery.ts'

type Deps = Pick<Given, 'db' | 'pool'>
type ListQuery = z.output<typeof deviceListQuery>

const PAGE_SIZE = 100

export function deviceListFeature(deps: Deps) {
  const { db } = deps
  return {
    routes: [
      route(listDevices, ({ query, caller }) => list(deps, query, caller)),
      rowsRoute(exportDevices, async ({ query: asked, caller }) => {
        const query = await understood(db, asked)
        const scope = await narrowScope(db, scopeOf(caller), query.customerId)
        return allDevices(db, scope, query, orderOf(query))
      }),
      route(countDeviceList, async ({ query: { customerId }, caller }) =>
        countTabs(db, await narrowScope(db, scopeOf(caller), customerId)),
      ),
      jsonTextRoute(listDevicePins, ({ query, caller }) => pins(deps, query, caller)),
      route(listDeviceTags, async ({ query: { customerId, search }, caller }) =>
        tagsLike(await usedTags(db, await narrowScope(db, scopeOf(caller), customerId)), search),
      ),
      route(listClientVersions, async ({ query: { customerId }, caller }) => {
        const found = await versionsIn(db, await narrowScope(db, scopeOf(caller), customerId))
        return found.toSorted((one, other) => byNewest(one.version, other.version))
      }),
    ],
    jobs: [searchTextsJob],
  }
}

const orderOf = ({ sort = 'name', descending = false }: Pick<ListQuery, 'sort' | 'descending'>): DeviceListOrder => ({
  sort,
  isDescending: descending,
})

async function list(
  { db, pool }: Deps,
  asked: ListQuery,
  caller: Caller,
): Promise<Device[] | z.output<typeof devicePage>> {
  const query = await understood(db, asked)
  const order = orderOf(query)
  const page = isPaged(query)
    ? askedPage(query, PAGE_SIZE, (key) => readKey(key, order.sort, order.isDescending))
    : undefined
  const { scope, isThere } = await soonNarrowed(db, scopeOf(caller), query.customerId)
  if (!page) {
    const [rows] = await Promise.all([devicesOfPage({ db, pool }, scope, query, order, undefined), isThere])
    return rows.map(({ device }) => device)
  }
  const [{ rows, next }, total] = await Promise.all([
    readPage(
      page,
      (wanted) => devicesOfPage({ db, pool }, scope, query, order, wanted),
      ({ key }) => key,
    ),
    countDevices(db, scope, query),
    isThere,
  ])
  return { rows: rows.map(({ device }) => device), total, next }
}

/**
 * Narrows the scope while rows are read already. Staff learn that a customer does not exist only after the reading.
 *
 * @returns `isThere`, which has to be awaited
 */
async function soonNarrowed(db: Db, scope: Scope, customerId: CustomerId | -1 | undefined) {
  const isThere = narrowScope(db, scope, customerId)
  if (scope.kind === 'customer' || customerId === undefined || customerId === -1) {
    return { scope: await isThere, isThere }
  }
  return { scope: { kind: 'customer', customerId } satisfies Scope, isThere }
}

async function countTabs(db: Db, scope: Scope): Promise<z.output<typeof countDeviceList.answer>> {
  const count = (filter: Parameters<typeof countDevices>[2]) => countDevices(db, scope, filter)
  const [all, wrong, maintenance, notUpdated] = await Promise.all([
    count({}),
    count({ filter: 'wrong' }),
    count({ statusId: DEVICE_STATUS.maintenance }),
    countNotUpdated(db, scope),
  ])
  return { all, wrong, maintenance, notUpdated }
}

async function countNotUpdated(db: Db, scope: Scope) {
  const versions = (await versionsIn(db, scope)).flatMap(({ version }) => version ?? []).toSorted(byNewest)
  const newest = versions.find(isVersion)
  if (newest === undefined) return undefined
  const client = { kind: 'runs' as const, versions: olderThan(newest, versions) }
  return { newest, devices: await countDevices(db, scope, { client }) }
}

async function pins({ db }: Deps, query: z.output<typeof devicePinsQuery>, caller: Caller): Promise<string> {
  const { zoom, west = -180, south = -90, east = 180, north = 90 } = query
  const view = zoom === undefined ? undefined : { zoom, west, south, east, north }
  const scope = await narrowScope(db, scopeOf(caller), query.customerId)
  return devicePinsJson(db, scope, await understood(db, query), view)
}

async function tagsLike<Used extends { readonly tag: string }>(used: readonly Used[], search = ''): Promise<Used[]> {
  if (search === '') return used.slice(0, MOST_TAGS_OFFERED)
  const { foldText, searchNeedles } = await import('#domain/devices/searchText.ts')
  const needles = searchNeedles(search)
  const isFound = ({ tag }: Used) => {
    const words = foldText([tag])
    return needles.every((needle) => words.includes(needle))
  }
  return used.filter(isFound).slice(0, MOST_TAGS_OFFERED)
}
