import type { Judge } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import { addressOf, fetched, sent } from './questions.ts'
import { medianAnd95, times } from './repeats.ts'

const WARM_UPS = 10
/** All rows together, with a pause before each, stay below a user's limit for a minute. */
const REPEATS = 100
const PAUSE_MS = 500
/** Slow calls are made less often. */
const LONGEST_MS = 4_000

interface ListRow {
  readonly name: string
  readonly path: 'Device/GetDeviceList' | 'Alert/GetAlertList'
  readonly query: Readonly<Record<string, string>>
  readonly aimMs: number
  readonly mustMs: number
}

const devices = (query: ListRow['query'], aimMs = 3): ListRow => ({
  name: `devices ${new URLSearchParams(query)}`,
  path: 'Device/GetDeviceList',
  query,
  aimMs,
  mustMs: 60,
})
const alerts = (name: string, query: ListRow['query']): ListRow => ({
  name: `alerts ${name}`,
  path: 'Alert/GetAlertList',
  query,
  aimMs: 10,
  mustMs: 60,
})

const SEARCH_MS = 10

/** The pages of devices and alerts make these calls; the bench has 2,000 devices for each customer. */
const LIST_ROWS: readonly ListRow[] = [
  devices({}),
  devices({ filter: 'activeConnected' }),
  devices({ filter: 'maintenance' }),
  devices({ filter: 'dark' }, SEARCH_MS),
  devices({ filter: 'silent' }, SEARCH_MS),
  devices({ filter: 'wrong' }, SEARCH_MS),
  devices({ filter: 'wrong', sort: 'alerts', descending: 'true' }, SEARCH_MS),
  devices({ filter: 'dark', forMinutes: '10' }, SEARCH_MS),
  devices({ filter: 'silent', forMinutes: '10' }, SEARCH_MS),
  devices({ filter: 'wrong', forMinutes: '10' }, SEARCH_MS),
  devices({ place: 'street 777' }, SEARCH_MS),
  ...['1.9.0', 'before-2.4.1', '2.4.1', 'unknown'].map((clientVersion) => devices({ clientVersion }, SEARCH_MS)),
  devices({ sort: 'name', descending: 'true' }),
  devices({ sort: 'alerts', descending: 'true' }, SEARCH_MS),
  devices({ sort: 'alerts' }, SEARCH_MS),
  devices({ deviceName: 'Device 77' }, SEARCH_MS),
  devices({ deviceName: 'ice 7777' }, SEARCH_MS),
  devices({ deviceName: 'e' }, SEARCH_MS),
  devices({ deviceName: '7' }, SEARCH_MS),
  devices({ deviceName: 'Nowhere' }, SEARCH_MS),
  devices({ search: 'device 777' }, SEARCH_MS),
  devices({ search: 'Street 7777' }, SEARCH_MS),
  devices({ search: 'customer 7' }, SEARCH_MS),
  devices({ search: 'e' }, SEARCH_MS),
  devices({ search: 'nowhere' }, SEARCH_MS),
  ...['line 77', 'rewire', 'newest', 'indoor', 'indoor,newest,rewire', 'nowhere'].map((tags) =>
    devices({ tags }, SEARCH_MS),
  ),
  alerts('without a text', {}),
  alerts('of no text "Nowhere"', { alertText: 'Nowhere' }),
  alerts('of a condition "Field 3 > 13"', { alertText: 'Field 3 > 13' }),
  alerts('of conditions "> 1"', { alertText: '> 1' }),
  alerts('of a device "Device 7777"', { alertText: 'Device 7777' }),
  alerts('of devices "Device 77"', { alertText: 'Device 77' }),
  alerts('of all "e"', { alertText: 'e' }),
  alerts('of open ones "Device 77"', { alertText: 'Device 77', filter: 'opened' }),
]

export async function measureLists(judge: Judge, who: string, { httpUrl, token }: { httpUrl: string; token: string }) {
  console.log(`\nPages of lists for ${who}`)
  const row = openTable(['median ms', 'p95 ms', 'rows in all'], 44)
  for (const { name, path, query, aimMs, mustMs } of LIST_ROWS) {
    const address = addressOf(httpUrl, path, { rowNum: '1', pageSize: '50', ...query })
    const ask = () => sent(address, token)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const { total } = await fetched<{ total: number | null }>(address, token)
    const warmed = await times(WARM_UPS, ask)
    const repeats = Math.min(REPEATS, Math.ceil(LONGEST_MS / Math.max(...warmed)))
    const [median = 0, p95 = 0] = medianAnd95(await times(repeats, ask))
    const verdict = judge.verdict(`${name} for ${who}`, p95 <= mustMs, p95 <= aimMs)
    row(name, [median, p95, total ?? '> 10,000'], `${verdict} (p95: aim ${aimMs}, must ${mustMs} ms)`)
  }
}
