import type { z } from 'zod'
import type { AnswerOf, ReadQueryOf } from '#contract/call/call.ts'
import { type listClientVersions, type listDeviceTags, MOST_TAGS_OFFERED } from '#contract/http/devices/details.ts'
import type { Device, deviceListQuery, devicePage, exportDevices } from '#contract/http/devices/devices.ts'
import type { devicePinsQuery } from '#contract/http/devices/pins.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { byNewest, olderThan, readVersionFilter } from '#domain/releases/versionFilter.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { JsonRows } from '#server/http/call/route.ts'
import { askedPage, isPaged, readPage } from '#server/http/reading/pages.ts'
import type { DeviceListOrder, DeviceListStore } from './deviceList.store.ts'
import { readKey } from './deviceListKey.ts'
import type { DevicePinStore } from './devicePins.store.ts'
import type { ClientRequest } from './deviceVersions.store.ts'

interface DeviceListDeps {
  readonly customerExists: (id: CustomerId, scope: Scope) => Promise<boolean>
  readonly list: DeviceListStore
  readonly pins: DevicePinStore
  readonly usedTags: (scope: Scope) => Promise<AnswerOf<typeof listDeviceTags>>
  readonly versionsIn: (scope: Scope) => Promise<AnswerOf<typeof listClientVersions>>
  /** Reads every version that a client of the fleet reports. */
  readonly knownVersions: () => Promise<readonly string[]>
}

type ListQuery = z.output<typeof deviceListQuery>
type Page = z.output<typeof devicePage>

const PAGE_SIZE = 100

interface Request {
  readonly search?: string | undefined
  readonly place?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly clientVersion?: string | undefined
}

/**
 * Folds the search as the database compares it. A search of nothing but punctuation finds what an empty search finds.
 */
async function folded<Query extends Request>(asked: Query) {
  const { search = '', place = '' } = asked
  const query = { ...asked, tags: asked.tags?.map(tagKey) }
  if (search === '' && place === '') return { ...query, needles: undefined, placeNeedles: undefined }
  const words = await import('#domain/devices/searchText.ts')
  // A device at a place has the place's words, so the index of all words helps there too.
  const needles = words.searchNeedles(`${search} ${place}`)
  const placeNeedles = words.placeNeedles(place)
  return {
    ...query,
    needles: needles.length === 0 ? undefined : needles,
    placeNeedles: placeNeedles.length === 0 ? undefined : placeNeedles,
  }
}

const orderOf = ({ sort = 'name', descending = false }: Pick<ListQuery, 'sort' | 'descending'>): DeviceListOrder => ({
  sort,
  isDescending: descending,
})

export interface DeviceList {
  readonly list: (query: ListQuery, caller: Caller) => Promise<Device[] | Page>
  readonly whole: (query: ReadQueryOf<typeof exportDevices>, caller: Caller) => Promise<AsyncIterable<JsonRows>>
  readonly pins: (query: z.output<typeof devicePinsQuery>, caller: Caller) => Promise<string>
  readonly tags: (query: ReadQueryOf<typeof listDeviceTags>, caller: Caller) => Promise<AnswerOf<typeof listDeviceTags>>
  readonly versions: (
    query: ReadQueryOf<typeof listClientVersions>,
    caller: Caller,
  ) => Promise<AnswerOf<typeof listClientVersions>>
}

export function createDeviceList(deps: DeviceListDeps): DeviceList {
  const { customerExists, list, pins, usedTags, versionsIn, knownVersions } = deps

  async function narrowed(scope: Scope, customerId: CustomerId | -1 | undefined): Promise<Scope> {
    if (customerId === undefined || customerId === -1) return scope
    if (!(await customerExists(customerId, scope))) throw notFound()
    return { kind: 'customer', customerId }
  }

  /**
   * Narrows the scope while rows are read already. Staff learn that a customer does not exist only after the reading.
   * @returns `isThere`, which has to be awaited
   */
  async function soonNarrowed(scope: Scope, customerId: CustomerId | -1 | undefined) {
    const isThere = narrowed(scope, customerId)
    if (scope.kind === 'customer' || customerId === undefined || customerId === -1) {
      return { scope: await isThere, isThere }
    }
    return { scope: { kind: 'customer', customerId } satisfies Scope, isThere }
  }

  async function clientOf(text = ''): Promise<ClientRequest | undefined> {
    const asked = readVersionFilter(text)
    if (asked === undefined || asked.kind === 'unknown') return asked
    if (asked.kind === 'is') return { kind: 'runs', versions: [asked.version] }
    return { kind: 'runs', versions: olderThan(asked.version, await knownVersions()) }
  }

  const understood = async <Query extends Request>(asked: Query) => {
    const [query, client] = await Promise.all([folded(asked), clientOf(asked.clientVersion)])
    return { ...query, client }
  }

  return {
    list: async (asked, caller) => {
      const query = await understood(asked)
      const order = orderOf(query)
      const page = isPaged(query)
        ? askedPage(query, PAGE_SIZE, (key) => readKey(key, order.sort, order.isDescending))
        : undefined
      const { scope, isThere } = await soonNarrowed(scopeOf(caller), query.customerId)
      if (!page) {
        const [rows] = await Promise.all([list.page(scope, query, order, undefined), isThere])
        return rows.map(({ device }) => device)
      }
      const [{ rows, next }, total] = await Promise.all([
        readPage(
          page,
          (wanted) => list.page(scope, query, order, wanted),
          ({ key }) => key,
        ),
        list.count(scope, query),
        isThere,
      ])
      return { rows: rows.map(({ device }) => device), total, next }
    },

    whole: async (asked, caller) => {
      const query = await understood(asked)
      const scope = await narrowed(scopeOf(caller), query.customerId)
      return list.whole(scope, query, orderOf(query))
    },

    pins: async (query, caller) => {
      const { zoom, west = -180, south = -90, east = 180, north = 90 } = query
      const view = zoom === undefined ? undefined : { zoom, west, south, east, north }
      return pins.json(await narrowed(scopeOf(caller), query.customerId), await understood(query), view)
    },

    tags: async ({ customerId, search = '' }, caller) => {
      const used = await usedTags(await narrowed(scopeOf(caller), customerId))
      if (search === '') return used.slice(0, MOST_TAGS_OFFERED)
      const { foldText, searchNeedles } = await import('#domain/devices/searchText.ts')
      const needles = searchNeedles(search)
      const isFound = ({ tag }: { readonly tag: string }) => {
        const words = foldText([tag])
        return needles.every((needle) => words.includes(needle))
      }
      return used.filter(isFound).slice(0, MOST_TAGS_OFFERED)
    },

    versions: async ({ customerId }, caller) => {
      const found = await versionsIn(await narrowed(scopeOf(caller), customerId))
      return found.toSorted((one, other) => byNewest(one.version, other.version))
    },
  }
}
