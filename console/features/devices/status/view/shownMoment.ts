import { createContext, use } from 'react'
import { formatAge, useOnTime } from '#console/lib/time/time.ts'

export interface ShownMoment {
  readonly at: Date
  /** It says what the values are where they are no readings, such as `mean of 14:00–15:00`. */
  readonly meanOf?: string | undefined
}

/** It is the moment that the status shows; undefined means now. */
export const ShownMomentContext = createContext<ShownMoment | undefined>(undefined)
export const useShownMoment = (): ShownMoment | undefined => use(ShownMomentContext)

export function useReadingAge(readAt: Date | undefined): string | undefined {
  const shown = useShownMoment()
  return useOnTime((now) => {
    if (readAt === undefined) return undefined
    if (!shown) return formatAge(readAt, now)
    const age = formatAge(readAt, shown.at)
    return age === 'just now' ? 'at that moment' : age.replace(/ ago$/, ' before')
  })
}

export function useOnShownTime<T extends string | number | boolean | undefined>(derive: (now: Date) => T): T {
  const shown = useShownMoment()
  return useOnTime((now) => derive(shown?.at ?? now))
}
