export const MOST_CHOSEN_DEVICES = 10_000
/** The first group does not count. */
export const MOST_WAVES = 20

/** The order of devices: these, or this many of the selected ones, first, then shares of the rest. */
export interface WavePlan<Id> {
  readonly firstGroup: number | readonly Id[]
  /** Shares of the devices after the first group, each including those before it. */
  readonly wavePercents: readonly number[]
}

/** The shares must rise, and the last includes everybody. */
export const arePercentsOfAll = (percents: readonly number[]) =>
  percents.at(-1) === 100 && percents.every((percent, index) => percent > (percents[index - 1] ?? 0))

/** Cuts ids in the given order into waves; empty waves are left out. */
export function planWaves<Id>(
  ids: readonly Id[],
  { firstGroup, wavePercents }: WavePlan<Id>,
): readonly (readonly Id[])[] {
  const [first, rest] = typeof firstGroup === 'number' ? cut(ids, firstGroup) : parted(ids, new Set(firstGroup))
  const ends = wavePercents.map((percent) => Math.ceil((rest.length * percent) / 100))
  const shares = ends.map((end, index) => rest.slice(ends[index - 1] ?? 0, end))
  return [first, ...shares].filter((wave) => wave.length > 0)
}

const cut = <Id>(ids: readonly Id[], count: number) => [ids.slice(0, count), ids.slice(count)] as const

const parted = <Id>(ids: readonly Id[], chosen: ReadonlySet<Id>) =>
  [ids.filter((id) => chosen.has(id)), ids.filter((id) => !chosen.has(id))] as const
