import { createContext, use } from 'react'
import { formatAge, useOnTime } from '#console/lib/time/time.ts'

export interface ShownMoment {
  readonly at: Date
  /** What values are, where they are no readings: `mean of 14:00–15:00`. */
  readonly meanOf?: string | undefined
}

/** What the status shows; undefined: how it is now. */
export const ShownMomentContext = createContext<ShownMoment | undefined>(undefined)
export const useShownMoment = (): ShownMoment | undefined => use(ShownMomentContext)

/** How old a reading is: `12 s ago`; of the past, how long before the moment that is shown: `12 s before`. */
export function useReadingAge(readAt: Date | undefined): string | undefined {
  const shown = useShownMoment()
  return useOnTime((now) => {
    if (readAt === undefined) return undefined
    if (!shown) return formatAge(readAt, now)
    const age = formatAge(readAt, shown.at)
    return age === 'just now' ? 'at that moment' : age.replace(/ ago$/, ' before')
  })
}

/** Something derived from when it is on the screen: now, or the moment that is shown. */
export function useOnShownTime<T extends string | number | boolean | undefined>(derive: (now: Date) => T): T {
  const shown = useShownMoment()
  return useOnTime((now) => derive(shown?.at ?? now))
}
