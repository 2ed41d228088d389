import { isDeepStrictEqual } from 'node:util'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { type Part, partKey, readPartKey } from '#domain/drivers/partKey.ts'
import type { Driver } from '../driver.ts'
import { type Hardware, HardwareError } from '../hardware.ts'
import type { DatedReading, Reading } from '../readings.ts'
import { composedParts, computerOf, knownOf, type PartOf } from './composedParts.ts'
import { PATIENCE, type Patience } from './guarded.ts'
import { createSource, type Source } from './source.ts'
import { createTurns } from './turns.ts'

/** One driver of a part, with options that its description has read. */
export interface ChosenDriver {
  readonly driver: Driver
  readonly options: Readonly<Record<string, unknown>>
}

/** Drivers by `partKey`; of several at one part the first wins, field by field and command by command. */
export type ChosenDrivers = ReadonlyMap<string, readonly ChosenDriver[]>

/** Hardware whose parts are what drivers were chosen for; the others are those of another hardware. */
export interface ComposedHardware extends Hardware {
  /** From now on these; what has not changed stays open. */
  choose(chosen: ChosenDrivers): void
  /** What the drivers of a part say to a person. Throws `HardwareError` with why not. */
  test(part: Part): Promise<string>
  close(): void
}

interface ComposedNeeds {
  /** What no driver is chosen for. */
  readonly base: Hardware
  readonly steadyMs: () => number
  readonly log: (line: string) => void
  readonly patience?: Patience
}

interface OpenDriver extends ChosenDriver {
  readonly source: Source
}

export function composeHardware({ base, steadyMs, log, patience = PATIENCE }: ComposedNeeds): ComposedHardware {
  let open: ReadonlyMap<string, readonly OpenDriver[]> = new Map()
  const dated = new Map<string, readonly DatedReading[]>()
  const inTurn = createTurns()

  const choose = (chosen: ChosenDrivers) => {
    const left = new Set([...open.values()].flat())
    const openOne = (key: string, one: ChosenDriver): OpenDriver => {
      const same = open.get(key)?.find((old) => left.has(old) && isSame(old, one))
      if (same) {
        left.delete(same)
        return same
      }
      const part = readPartKey(key)
      if (!part) throw new Error(`${key} is no part.`)
      return { ...one, source: createSource({ ...one, place: { ...part, steadyMs, log, inTurn }, patience }) }
    }
    open = new Map([...chosen].map(([key, drivers]) => [key, drivers.map((one) => openOne(key, one))]))
    dated.clear()
    for (const { source } of left) source.close()
  }

  const sourcesOf = (part: Part) => (open.get(partKey(part)) ?? []).map(({ source }) => source)

  /** All drivers of a part are asked at once; none waits for another. */
  const readPart = async (part: Part): Promise<Reading | undefined> => {
    const readings = await Promise.all(sourcesOf(part).map((source) => source.read()))
    const known = readings.filter((reading) => reading !== undefined)
    dated.set(partKey(part), known)
    return known.length === 0 ? undefined : Object.assign({}, ...known.map(({ values }) => knownOf(values)).reverse())
  }
  const readableOf = (topic: EventTypeTopic, number: number) =>
    sourcesOf({ topic, number }).length > 0 ? { read: () => readPart({ topic, number }) } : undefined

  const partOf: PartOf = (topic, number) => {
    const sources = sourcesOf({ topic, number })
    if (sources.length === 0) return undefined
    return {
      read: () => readPart({ topic, number }),
      can: (name) => sources.some((source) => source.can(topic, name)),
      tell: async (name, work) => {
        const able = sources.find((source) => source.can(topic, name))
        if (!able) throw new HardwareError(`No driver of ${partKey({ topic, number })} can do that.`)
        await able.tell(topic, work)
      },
    }
  }

  return {
    ...base,
    ...composedParts(base, partOf, readableOf),
    // A getter, because whether it can be restarted follows from what is chosen.
    get computer() {
      return computerOf(base, partOf)
    },
    dated: (part) => dated.get(partKey(part)) ?? [],
    choose,
    test: async (part) => {
      const sources = sourcesOf(part)
      if (sources.length === 0) throw new HardwareError(`No driver is chosen for ${partKey(part)}.`)
      const sentences: string[] = []
      for (const source of sources) sentences.push(await source.test())
      return sentences.join(' ')
    },
    close: () => choose(new Map()),
  }
}

const isSame = (one: ChosenDriver, other: ChosenDriver): boolean =>
  one.driver === other.driver && isDeepStrictEqual(one.options, other.options)
