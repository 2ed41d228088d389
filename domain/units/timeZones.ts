const known = new Set<string>()

/** Whether this IANA name is a time zone. It is separate from the conversions, which few pages need at once. */
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
