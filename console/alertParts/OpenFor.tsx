import { useOnTime } from '#console/lib/time/time.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly created: string
  /** It is null while the alert is open, and then the time goes on. */
  readonly closed: string | null
  /** It may have begun before. */
  readonly isAtLeast?: boolean
}

const MINUTE_S = 60

export function OpenFor({ created, closed, isAtLeast = false }: Props) {
  return useOnTime((now) => {
    const seconds = ((closed === null ? now.getTime() : Date.parse(closed)) - Date.parse(created)) / 1000
    const minutes = Math.floor(seconds / MINUTE_S)
    if (isAtLeast) return minutes < 1 ? UNKNOWN_TEXT : `at least ${formatDuration(minutes * MINUTE_S)}`
    return minutes < 1 ? '< 1 min' : formatDuration(minutes * MINUTE_S)
  })
}
