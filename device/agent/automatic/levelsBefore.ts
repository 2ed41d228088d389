const REMEMBERED_AS = 'levelsBeforePlan'

export interface Kept {
  remembered(name: string): string | undefined
  remember(name: string, value: string): void
}

/** The backlight that each display had before a day plan took over; it is kept on disk until it is restored. */
export interface LevelsBefore {
  /** Notes the level while neither a plan nor a curve applies. */
  own(number: number, percent: number): void
  /** A plan begins, or goes on after a restart. */
  keep(number: number): void
  /** Undefined when there is nothing to restore. */
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
