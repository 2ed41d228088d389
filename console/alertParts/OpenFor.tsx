import { useOnTime } from '#console/lib/time/time.ts'
import { formatDuration } from '#domain/units/durations.ts'

interface Props {
  readonly created: string
  /** It is null while the alert is open, and then the time goes on. */
  readonly closed: string | null
}

const MINUTE_S = 60

export function OpenFor({ created, closed }: Props) {
  return useOnTime((now) => {
    const seconds = ((closed === null ? now.getTime() : Date.parse(closed)) - Date.parse(created)) / 1000
    return seconds < MINUTE_S ? '< 1 min' : formatDuration(Math.floor(seconds / MINUTE_S) * MINUTE_S)
  })
}
