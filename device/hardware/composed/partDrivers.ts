import { isDeepStrictEqual } from 'node:util'
import { type Part, partKey, readPartKey } from '#domain/drivers/partKey.ts'
import { HardwareError } from '../hardware.ts'
import type { DatedReading, Reading } from '../readings.ts'
import type { ChosenDriver, ChosenDrivers } from './chosenDrivers.ts'
import { knownOf, type PartOf } from './composedParts.ts'
import { PATIENCE, type Patience } from './guarded.ts'
import { createLineQueue } from './lineQueue.ts'
import { createSource, type Source } from './source.ts'

export interface PartDriversDeps {
  readonly steadyMs: () => number
  /** For the totem's own log. */
  readonly log: (line: string) => void
  /** For operators, where a driver does not answer for longer; never a secret or a path. */
  readonly say?: (words: string) => void
  /** Other than a real agent's only in tests. */
  readonly patience?: Patience
}

/** Well below what an answer may have (`contract/mqtt/command.ts`). */
const LONGEST_ANSWER = 1000

interface OpenDriver extends ChosenDriver {
  readonly source: Source
}

/** The drivers that are open now, part by part. */
export function createPartDrivers({ steadyMs, log, say = () => {}, patience = PATIENCE }: PartDriversDeps) {
  let open: ReadonlyMap<string, readonly OpenDriver[]> = new Map()
  const dated = new Map<string, readonly DatedReading[]>()
  const traffic = new Map<string, number | undefined>()
  const inQueue = createLineQueue()

  const sourcesOf = (part: Part) => (open.get(partKey(part)) ?? []).map(({ source }) => source)

  /** All drivers of a part are asked at once; none waits for another. */
  const read = async (part: Part): Promise<Reading | undefined> => {
    const readings = await Promise.all(sourcesOf(part).map((source) => source.read()))
    // One that names nothing has said nothing. Two of one kind are two, so that each is told whole once a minute.
    const known = readings.flatMap((one, at) =>
      one && saysAnything(one) ? [{ ...one, source: at === 0 ? one.source : `${one.source} ${at + 1}` }] : [],
    )
    dated.set(partKey(part), known)
    traffic.set(partKey(part), known.find((one) => one.trafficBytes !== undefined)?.trafficBytes)
    return known.length === 0 ? undefined : Object.assign({}, ...known.map(({ values }) => knownOf(values)).reverse())
  }

  const partOf: PartOf = (topic, number) => {
    const sources = sourcesOf({ topic, number })
    if (sources.length === 0) return undefined
    return {
      read: () => read({ topic, number }),
      trafficBytes: () => traffic.get(partKey({ topic, number })),
      can: (name) => sources.some((source) => source.can(topic, name)),
      tell: async (name, work) => {
        const able = sources.find((source) => source.can(topic, name))
        if (!able) throw new HardwareError(`No driver of ${partKey({ topic, number })} can do that.`)
        await able.tell(topic, work)
      },
    }
  }

  /** From now on these; what has not changed stays open. */
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
      return { ...one, source: createSource({ ...one, place: { ...part, steadyMs, log, inQueue }, say, patience }) }
    }
    open = new Map([...chosen].map(([key, drivers]) => [key, drivers.map((one) => openOne(key, one))]))
    dated.clear()
    traffic.clear()
    for (const { source } of left) source.close()
  }

  return {
    choose,
    partOf,
    readableOf: (part: Part) => (sourcesOf(part).length > 0 ? { read: () => read(part) } : undefined),
    dated: (part: Part) => dated.get(partKey(part)) ?? [],
    /** What the drivers of a part say to a person. Throws `HardwareError` with why not. */
    async test(part: Part): Promise<string> {
      const sources = sourcesOf(part)
      if (sources.length === 0) throw new HardwareError(`No driver is chosen for ${partKey(part)}.`)
      const sentences = await Promise.all(sources.map((source) => source.test()))
      return sentences.join(' ').slice(0, LONGEST_ANSWER)
    },
  }
}

const saysAnything = ({ values, trafficBytes }: DatedReading): boolean =>
  trafficBytes !== undefined || Object.keys(knownOf(values)).length > 0

const isSame = (one: ChosenDriver, other: ChosenDriver): boolean =>
  one.driver === other.driver && isDeepStrictEqual(one.options, other.options)
