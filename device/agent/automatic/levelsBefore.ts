const REMEMBERED_AS = 'levelsBeforePlan'

/** What outlives a restart of the client. */
export interface Kept {
  remembered(name: string): string | undefined
  remember(name: string, value: string): void
}

/** The backlight that each display had by itself before a day plan took it over; kept on disk until it is given back. */
export interface LevelsBefore {
  /** As it is while no plan and no curve holds. */
  own(number: number, percent: number): void
  /** A plan begins, or goes on after a restart. */
  keep(number: number): void
  /** Undefined: there is nothing to give back. */
  kept(number: number): number | undefined
  givenBack(number: number): void
}

export function openLevelsBefore(store: Kept): LevelsBefore {
  const kept = JSON.parse(store.remembered(REMEMBERED_AS) ?? '{}') as Record<number, number>
  const own = new Map<number, number>()
  const write = () => store.remember(REMEMBERED_AS, JSON.stringify(kept))
  return {
    own: (number, percent) => own.set(number, percent),
    keep: (number) => {
      const percent = own.get(number)
      if (kept[number] !== undefined || percent === undefined) return
      kept[number] = percent
      write()
    },
    kept: (number) => kept[number],
    givenBack: (number) => {
      if (kept[number] === undefined) return
      delete kept[number]
      write()
    },
  }
}
