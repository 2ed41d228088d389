import { EVENT_TYPES, type EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { readOptions } from '#domain/drivers/driverDescription.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import { within } from '../composed/guarded.ts'
import { createLineQueue } from '../composed/lineQueue.ts'
import type { Candidate, Driver, Surroundings } from '../driver.ts'

/** A part whose instrument has answered. */
export interface FoundPart {
  /** As configuration names it: `display/2`. */
  readonly part: string
  readonly driver: string
  /** The options as the device's own file names them. */
  readonly options: Readonly<Record<string, unknown>>
  /** What the instrument has answered, as its test says it. */
  readonly words: string
}

const PROBE_ENDS_AFTER_MS = 60_000
const TEST_ENDS_AFTER_MS = 4000

/** Asks each driver where its instruments may be, and takes those that answer its test. What does not answer is left out. */
export async function discoverParts(drivers: readonly Driver[], around: Surroundings): Promise<readonly FoundPart[]> {
  const inQueue = createLineQueue()
  const answered: (Candidate & { readonly driver: Driver; readonly words: string })[] = []
  const takenPorts = new Set<unknown>()
  for (const driver of drivers) {
    // A serial port has one instrument, and another protocol would only disturb it.
    const rest = { ...around, serialPorts: around.serialPorts.filter((path) => !takenPorts.has(path)) }
    const work = (signal: AbortSignal) => driver.probe?.(rest, signal) ?? Promise.resolve([])
    const candidates = await within(PROBE_ENDS_AFTER_MS, 'It takes too long.', work).catch(() => [])
    for (const candidate of candidates) {
      const { path } = candidate.options
      if (path !== undefined && takenPorts.has(path)) continue
      const ask = () => testWords(driver, candidate, { ...around, inQueue })
      // A protocol that reads lines takes what another one has asked for the beginning of the first.
      const words = (await ask()) ?? (path === undefined ? undefined : await ask())
      if (words === undefined) continue
      if (path !== undefined) takenPorts.add(path)
      answered.push({ ...candidate, driver, words })
    }
  }
  return numbered(answered)
}

type Services = Pick<Surroundings, 'log'> & { readonly inQueue: ReturnType<typeof createLineQueue> }

async function testWords(
  driver: Driver,
  { topic, options }: Candidate,
  { log, inQueue }: Services,
): Promise<string | undefined> {
  const read = readOptions(driver.description, options)
  if ('problem' in read) return undefined
  const place = { topic, number: 1, steadyMs: () => performance.now(), log, inQueue }
  const instrument = driver.open(read.options, place)
  try {
    return await within(TEST_ENDS_AFTER_MS, 'It does not answer in time.', (signal) => instrument.test(signal))
  } catch {
    return undefined
  } finally {
    instrument.close?.()
  }
}

/** Parts of a kind are numbered in the order in which they were found; a device has only so many of each. */
function numbered(
  answered: readonly (Candidate & { readonly driver: Driver; readonly words: string })[],
): readonly FoundPart[] {
  const counts = new Map<EventTypeTopic, number>()
  return answered.flatMap(({ topic, options, driver, words }) => {
    const number = (counts.get(topic) ?? 0) + 1
    if (number > mostOf(topic)) return []
    counts.set(topic, number)
    return [{ part: partKey({ topic, number }), driver: driver.description.name, options, words }]
  })
}

const mostOf = (topic: EventTypeTopic) => EVENT_TYPES.find((type) => type.topic === topic)?.prefixes.length ?? 0
