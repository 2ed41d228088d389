const known = new Set<string>()

/** Whether clocks on a wall can be told by this IANA name. Apart from the telling, which few pages need at once. */
export function isTimeZone(timeZone: string): boolean {
  if (known.has(timeZone)) return true
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone })
  } catch {
    return false
  }
  known.add(timeZone)
  return true
}
