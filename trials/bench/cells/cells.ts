import { availableParallelism } from 'node:os'
import { MOST_COUNTED_ROWS } from '#contract/call/listOptions.ts'
import { count, SEED, type Values } from '../../frame/options.ts'
import type { Run } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { describeTrial } from '../../frame/trial.ts'
import { type Asked, askRealCell, type CellAnswers, draw, drawWayMs } from './answerTimes.ts'
import { MadeUpCell, type MadeUpDevice, type Order, placesEvery, rowsBehind } from './MadeUpCell.ts'
import {
  type CellPage,
  type MergedPlace,
  mergePages,
  type Place,
  placeIn,
  startsFor,
  stepFor,
  sumCounts,
} from './mergePages.ts'

const SIZE = 50
/** Who has not answered by then is named as missing. */
const PATIENCE_MS = 1_000
const SLOWER = 10
/** A page of all may take as long as two of a slow moment of one cell, and what is on the way; less is the aim. */
const MUST = { factor: 2, wayMs: 20 }
const AIM = { factor: 1.5, wayMs: 10 }
const MODELS = 4

const OPTIONS = {
  cells: count(10, 'installations'),
  devices: count(100_000, 'devices in each'),
  measured: count(100_000, 'devices in the real installation that is asked how long it takes'),
  alerts: count(200_000, 'alerts in it'),
  repeats: count(100, 'measured answers of each call'),
  draws: count(2_000, 'merged pages of each list'),
  seed: SEED,
}
type Chosen = Values<typeof OPTIONS>

interface ListOfAll extends Asked {
  readonly order?: Order
  readonly needle?: string
  /** Questions that follow each other: a page far behind asks for places first. */
  readonly rounds: number
}

const list = (sort: Order['sort'], isDescending: boolean, more: Readonly<Record<string, string>> = {}): ListOfAll => ({
  name: `by ${sort}${isDescending ? ', descending' : ''}${more.search ? ` with "${more.search}"` : ''}${more.rowNum ? `, from row ${more.rowNum}` : ''}`,
  path: 'Device/GetDeviceList',
  query: { pageSize: String(SIZE), rowNum: '1', sort, descending: String(isDescending), ...more },
  order: { sort, isDescending },
  needle: more.search ?? '',
  rounds: more.rowNum ? 3 : 1,
})
const figures = (name: string, path: string, query: Asked['query'] = {}): ListOfAll => ({
  name,
  path,
  query,
  rounds: 1,
})

const LISTS: readonly ListOfAll[] = [
  list('name', false),
  list('name', true),
  list('address', false),
  list('model', false),
  list('status', false),
  list('connected', false),
  list('now', true),
  list('alerts', true),
  list('name', false, { rowNum: '951' }),
  list('name', false, { rowNum: '9951' }),
  list('alerts', true, { rowNum: '9951' }),
  list('name', false, { search: 'device 777' }),
  list('name', false, { search: 'street 7777' }),
  list('name', false, { search: 'nowhere' }),
  figures('alerts, newest first', 'Alert/GetAlertList', { rowNum: '1', pageSize: String(SIZE) }),
  figures('counts of the list', 'Device/GetDeviceListCounts'),
  figures('tiles of the Overview', 'Dashboard/GetDashboardValues'),
  figures('wrong now', 'Dashboard/GetWrongNow'),
]

export const cells = describeTrial({
  name: 'cells',
  proves: 'Lists and counts over ten installations, merged from one page of each (docs/decisions/database/0346).',
  options: OPTIONS,
  async run(run) {
    console.log(`${availableParallelism()} cores, Node ${process.versions.node}`)
    const { measured: devices, alerts, repeats } = run.options
    const answers = await askRealCell(run as Run<never>, { devices, alerts, repeats }, LISTS)
    const made = makeCells(run)
    const row = openTable(['cell p50 ms', 'p95', 'merging', 'merged p50', 'p95', 'p95, one slow', 'rows in all'])
    for (const asked of LISTS) {
      const real = answers.get(asked.name)
      if (!real) continue
      const { p95, cells: shown } = measure(run, asked, real, made)
      const limit = ({ factor, wayMs }: typeof MUST) => asked.rounds * (factor * quantile(real.tookMs, 0.95) + wayMs)
      row(asked.name, shown, run.verdict(asked.name, p95 <= limit(MUST), p95 <= limit(AIM)))
    }
    console.log(
      `\nThe slow one takes ${SLOWER} times as long. When one does not answer, the first page is shown without it after ` +
        `${PATIENCE_MS} ms:\n"${made.length - 1} of ${made.length} installations answered". Pages after that do not wait for it, and take as long as those above.`,
    )
  },
})

function makeCells(run: Run<Chosen>): MadeUpCell[] {
  const below = (most: number) => Math.floor(run.chance() * most)
  const oneIn = (many: number, otherwise: number) => (below(many) === 0 ? 1 + below(5) : otherwise)
  const { cells: many, devices } = run.options
  return Array.from({ length: many }, (_, number) => {
    const device = (__: unknown, at: number): MadeUpDevice => ({
      id: at + 1,
      name: `Device ${at * many + number}`,
      address: below(20) === 0 ? '' : `Street ${below(devices * many)}`,
      ranks: {
        model: below(MODELS),
        status: oneIn(10, 0),
        connected: oneIn(20, 0),
        now: oneIn(50, 0),
        alerts: oneIn(100, 0),
        lastEvent: below(1_000_000),
      },
    })
    return new MadeUpCell(number, Array.from({ length: devices }, device))
  })
}

/** Merging is measured on pages that follow each other, as somebody reads them. */
const MERGED_PAGES = 40

function measure(run: Run<Chosen>, asked: ListOfAll, { tookMs, body }: CellAnswers, made: readonly MadeUpCell[]) {
  const merging = asked.order ? mergeLists(asked, asked.order, made, body) : mergeFigures(made, body)
  const mergeMs = quantile(merging, 0.5)
  const dice = () => run.chance()
  const answerMs = (slowest = 1) => {
    let sum = draw(merging, dice)
    for (let round = 0; round < asked.rounds; round++) {
      const took = made.map((_, cell) => drawWayMs(dice) + draw(tookMs, dice) * (cell === 0 ? slowest : 1))
      sum += Math.min(Math.max(...took), PATIENCE_MS)
    }
    return sum
  }
  const drawn = (slowest?: number) => Array.from({ length: run.options.draws }, () => answerMs(slowest))
  const [well, slow] = [drawn(), drawn(SLOWER)]
  return {
    p95: quantile(well, 0.95),
    cells: [
      quantile(tookMs, 0.5),
      quantile(tookMs, 0.95),
      mergeMs,
      quantile(well, 0.5),
      quantile(well, 0.95),
      quantile(slow, 0.95),
      asked.order ? (sumCounts(totalsOf(asked, asked.order, made))?.toLocaleString('en') ?? '> 10,000') : '',
    ],
  }
}

/** A cell counts as far as a list is counted, and then says no number. */
const totalsOf = ({ needle }: ListOfAll, order: Order, made: readonly MadeUpCell[]) =>
  made.map((cell) => cell.list(order, needle).length).map((rows) => (rows > MOST_COUNTED_ROWS ? null : rows))

/** Returns how long it takes to read the texts of all cells, to merge them, and to write the answer. */
function mergeLists(
  { needle, query }: ListOfAll,
  { sort, isDescending }: Order,
  made: readonly MadeUpCell[],
  body: string,
): number[] {
  const like = (JSON.parse(body) as { readonly rows: readonly object[] }).rows[0] ?? {}
  const lists = made.map((cell) => ({ cell: cell.number, list: cell.list({ sort, isDescending }, needle) }))
  const skip = Number(query.rowNum) - 1
  const directory = {
    lists,
    isDescending,
    rowsOf: (places: readonly Place[]) => places.map((one) => ({ ...like, ...one })),
  }
  let last: MergedPlace | undefined
  return Array.from({ length: MERGED_PAGES }, () => {
    const watch = new Stopwatch()
    if (skip > 0) mergeFarBehind(directory, skip, watch)
    else last = mergeNext(directory, last, watch)
    return watch.spentMs
  })
}

interface Directory {
  readonly lists: readonly { readonly cell: number; readonly list: readonly Place[] }[]
  readonly isDescending: boolean
  /** Makes rows as long as those of a real answer. */
  readonly rowsOf: (places: readonly Place[]) => Place[]
}

/** Sums what the directory does; what cells do is measured elsewhere. */
class Stopwatch {
  spentMs = 0

  time<Result>(work: () => Result): Result {
    const beganAt = performance.now()
    const result = work()
    this.spentMs += performance.now() - beganAt
    return result
  }

  /** Cells write their answers, and the directory reads them. */
  heard<Row extends Place>(pages: readonly CellPage<Row>[]): CellPage<Row>[] {
    const texts = pages.map((page) => JSON.stringify(page))
    return this.time(() => texts.map((text) => JSON.parse(text) as CellPage<Row>))
  }
}

function mergeNext({ lists, isDescending, rowsOf }: Directory, after: MergedPlace | undefined, watch: Stopwatch) {
  const pages = watch.heard(
    lists.map(({ cell, list }) => ({
      cell,
      rows: rowsOf(rowsBehind(list, after && placeIn(cell, after), SIZE, isDescending)),
    })),
  )
  const merged = watch.time(() => mergePages(pages, SIZE, isDescending))
  watch.time(() => JSON.stringify(merged))
  return merged.at(-1)
}

function mergeFarBehind({ lists, isDescending, rowsOf }: Directory, skip: number, watch: Stopwatch): void {
  const step = stepFor(skip, lists.length)
  const samples = watch.heard(lists.map(({ cell, list }) => ({ cell, rows: placesEvery(list, step, skip + SIZE) })))
  const { starts, skipped } = watch.time(() => startsFor(samples, { step, skip, isDescending }))
  const wanted = skip - skipped + SIZE
  const behind = (at: number, after: Place | undefined) =>
    rowsBehind(lists[at]?.list ?? [], after, wanted, isDescending)
  const rest = watch.heard(starts.map(({ cell, after }, at) => ({ cell, rows: behind(at, after) })))
  const merged = watch.time(() => mergePages(rest, wanted, isDescending).slice(skip - skipped))
  const rows = watch.heard([{ cell: 0, rows: rowsOf(merged) }])
  watch.time(() => JSON.stringify(rows))
}

/** Sums and short lists are small: reading them is what takes time. */
function mergeFigures(made: readonly MadeUpCell[], body: string): number[] {
  return Array.from({ length: MERGED_PAGES }, () => {
    const beganAt = performance.now()
    const read = made.map(() => JSON.parse(body) as object)
    JSON.stringify(read[0])
    return performance.now() - beganAt
  })
}
