import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface Holiday {
  readonly date: string
  readonly name: string
}

const LIBRARY = fileURLToPath(new URL('./holidayLibrary.ts', import.meta.url))
/** A caller that reads one year soon reads those around it. */
const ASKED_TOGETHER = [-1, 0, 1, 2]

const known = new Map<string, Promise<readonly Holiday[]>>()
const keyOf = (isoCode: string, year: number) => `${isoCode} ${year}`

/** Returns the public holidays of a country (ISO 3166 alpha-2) in the library; none for an unknown country. */
export async function defaultHolidays(isoCode: string, year: number): Promise<readonly Holiday[]> {
  if (!known.has(keyOf(isoCode, year))) askLibrary(isoCode, year)
  return (await known.get(keyOf(isoCode, year))) ?? []
}

/** Asks a process that ends with its answer: the library takes 20 MB, and is rarely needed. */
function askLibrary(isoCode: string, askedYear: number): void {
  const years = ASKED_TOGETHER.map((more) => askedYear + more).filter((year) => !known.has(keyOf(isoCode, year)))
  const answer = promisify(execFile)(process.execPath, [LIBRARY, isoCode, ...years.map(String)])
  const ofYears = answer.then(({ stdout }): readonly (readonly Holiday[])[] => JSON.parse(stdout))
  for (const [place, year] of years.entries()) {
    const holidays = ofYears.then((all) => all[place] ?? [])
    known.set(keyOf(isoCode, year), holidays)
    holidays.catch(() => known.delete(keyOf(isoCode, year)))
  }
}
