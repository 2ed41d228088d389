const SECONDS_PER_MINUTE = 60
const SECONDS_PER_HOUR = 3600
const SECONDS_PER_DAY = 86_400
const MINUTES_PER_HOUR = 60
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR

/** Formats the two largest parts, so that a tile stays readable: `12 d 4 h`, `3 h 20 min`, `45 min`, `30 s`. */
export function formatDuration(totalSeconds: number): string {
  const seconds = Math.max(0, Math.floor(totalSeconds))
  const days = Math.floor(seconds / SECONDS_PER_DAY)
  const hours = Math.floor((seconds % SECONDS_PER_DAY) / SECONDS_PER_HOUR)
  const minutes = Math.floor((seconds % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE)
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  if (minutes > 0) return `${minutes} min`
  return `${seconds} s`
}

/** Formats every part from the largest on (rules/display 4): `2 d 0 h 5 min`, `3 h 20 min`, `45 min`. */
export function formatWholeDuration(totalMinutes: number): string {
  const minutes = Math.max(0, Math.floor(totalMinutes))
  const days = Math.floor(minutes / MINUTES_PER_DAY)
  const hours = Math.floor((minutes % MINUTES_PER_DAY) / MINUTES_PER_HOUR)
  const rest = `${minutes % MINUTES_PER_HOUR} min`
  if (days > 0) return `${days} d ${hours} h ${rest}`
  return hours > 0 ? `${hours} h ${rest}` : rest
}

/** Formats hours beyond a day, for comparison with days: `24 h`, `6 h 30 min`, `45 min`. */
export function formatHours(totalMinutes: number): string {
  const hours = Math.floor(totalMinutes / MINUTES_PER_HOUR)
  const minutes = totalMinutes % MINUTES_PER_HOUR
  if (hours === 0) return `${minutes} min`
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
}
