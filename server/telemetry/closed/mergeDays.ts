import type { Cells, DayColumns } from './dayColumns.ts'

/** Which row of either day a merged row comes from; -1 for none. */
interface Pairs {
  readonly ofBase: readonly number[]
  readonly ofLater: readonly number[]
}

type Pick = (base: ArrayLike<unknown> | undefined, later: ArrayLike<unknown> | undefined, row: number) => unknown

/**
 * Merges readings that came later into those of a component's day, by the write path's own rule: of two readings of one
 * instant the first stays, and the second only fills what it left open (rules/readings 1).
 */
export function mergeDays(base: DayColumns, later: DayColumns): DayColumns {
  if (later.rows === 0) return base
  if (base.rows === 0) return later
  const pairs = pairsOf(base.at, later.at)
  const rows = pairs.ofBase.length
  /** What is said of a reading as a whole comes from the one that was first. */
  const first: Pick = (ofBase, ofLater, row) => {
    const index = pairs.ofBase[row] ?? -1
    return index >= 0 ? ofBase?.[index] : ofLater?.[pairs.ofLater[row] ?? -1]
  }
  const filled: Pick = (ofBase, ofLater, row) =>
    ofBase?.[pairs.ofBase[row] ?? -1] ?? ofLater?.[pairs.ofLater[row] ?? -1] ?? null
  const merged = <Value>(pick: Pick, ofBase: Cells<Value>, ofLater: Cells<Value>): Cells<Value> =>
    ofBase === undefined && ofLater === undefined
      ? undefined
      : Array.from({ length: rows }, (_, row) => (pick(ofBase, ofLater, row) ?? null) as Value | null)
  const moments = (ofBase: Float64Array, ofLater: Float64Array) =>
    Float64Array.from({ length: rows }, (_, row) => first(ofBase, ofLater, row) as number)
  const extras: Pick = (ofBase, ofLater, row) =>
    mergedExtra(
      ofBase?.[pairs.ofBase[row] ?? -1] as string | null | undefined,
      ofLater?.[pairs.ofLater[row] ?? -1] as string | null | undefined,
    )
  const fields = new Map<string, ArrayLike<number | string | null>>()
  for (const name of new Set([...base.fields.keys(), ...later.fields.keys()])) {
    const cells = merged(filled, base.fields.get(name), later.fields.get(name))
    if (cells !== undefined) fields.set(name, cells)
  }
  return {
    rows,
    at: moments(base.at, later.at),
    inserted: moments(base.inserted, later.inserted),
    claimedAt: merged(first, base.claimedAt, later.claimedAt),
    isCorrected: merged(first, base.isCorrected, later.isCorrected),
    extra: merged(extras, base.extra, later.extra),
    fields,
  }
}

/** Both are in order of time, and neither has an instant twice. */
function pairsOf(base: Float64Array, later: Float64Array): Pairs {
  const ofBase: number[] = []
  const ofLater: number[] = []
  let one = 0
  let other = 0
  while (one < base.length || other < later.length) {
    const baseAt = base[one] ?? Number.POSITIVE_INFINITY
    const laterAt = later[other] ?? Number.POSITIVE_INFINITY
    ofBase.push(baseAt <= laterAt ? one++ : -1)
    ofLater.push(laterAt <= baseAt ? other++ : -1)
  }
  return { ofBase, ofLater }
}

interface RawJson {
  readonly rawJSON: (text: string) => unknown
}
type ReviverWithSource = (key: string, value: unknown, context: { readonly source: string }) => unknown

/** Numbers stay the text that they are, because JSON has more of them than JavaScript. */
const keepNumbers: ReviverWithSource = (_, value, { source }) =>
  typeof value === 'number' ? (JSON as unknown as RawJson).rawJSON(source) : value

function mergedExtra(base: string | null | undefined, later: string | null | undefined): string | null {
  if (!base || !later) return base ?? later ?? null
  const parse = (text: string) => JSON.parse(text, keepNumbers as never) as object
  return JSON.stringify({ ...parse(later), ...parse(base) })
}
