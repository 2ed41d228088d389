import { zoneAt } from './timeZone.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

let countryOfZone: Map<string, string | undefined> | undefined

/** Reads which country each time zone is of, as the tables of the runtime have it. */
function readCountries(): Map<string, string | undefined> {
  const countries = new Map<string, string | undefined>()
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    // Codes that are no longer used stand for their successors.
    const [name = code] = Intl.getCanonicalLocales(`und-${code}`)
    const locale = new Intl.Locale(name) as Intl.Locale & { getTimeZones?(): string[] | undefined }
    for (const zone of locale.getTimeZones?.() ?? []) countries.set(zone, locale.region ?? code)
  }
  return countries
}

/**
 * Returns the ISO code of the country at a position; undefined at sea. The outlines are those of time zones, each of
 * which is of one country: borders are right within some kilometres at worst.
 */
export function countryAt(latitude: number, longitude: number): string | undefined {
  const zone = zoneAt(latitude, longitude)
  const known = countryOfZone ?? readCountries()
  countryOfZone = known
  if (!known.has(zone)) {
    // The runtime may call the zone by an older name.
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
    known.set(zone, known.get(timeZone))
  }
  return known.get(zone)
}
