import { isDeepStrictEqual } from 'node:util'
import { type Part, partKey, readPartKey } from '#domain/drivers/partKey.ts'
import { HardwareError } from '../hardware.ts'
import type { DatedReading, Reading } from '../readings.ts'
import type { ChosenDriver, ChosenDrivers } from './chosenDrivers.ts'
import { knownOf, type PartOf } from './composedParts.ts'
import { DriverSource } from './DriverSource.ts'
import { PATIENCE, type Patience } from './guarded.ts'
import { createLineQueue } from './lineQueue.ts'

export interface PartDriversDeps {
  readonly steadyMs: () => number
  /** Writes to the device's own log. */
  readonly log: (line: string) => void
  /** Informs operators of a driver that does not answer for longer; never contains a secret or a path. */
  readonly say?: (words: string) => void
  /** Only tests use other limits than a real agent. */
  readonly patience?: Patience
}

/** This is well below the limit of a reply (`contract/mqtt/command.ts`). */
const LONGEST_ANSWER = 1000

interface OpenDriver extends ChosenDriver {
  readonly source: DriverSource
}

export function createPartDrivers({ steadyMs, log, say = () => {}, patience = PATIENCE }: PartDriversDeps) {
  let open: ReadonlyMap<string, readonly OpenDriver[]> = new Map()
  const dated = new Map<string, readonly DatedReading[]>()
  const traffic = new Map<string, number | undefined>()
  const inQueue = createLineQueue()

  const sourcesOf = (part: Part) => (open.get(partKey(part)) ?? []).map(({ source }) => source)

  /** All drivers of a part are asked at once, so that none waits for another. */
  const read = async (part: Part): Promise<Reading | undefined> => {
    const readings = await Promise.all(sourcesOf(part).map((source) => source.read()))
    // A reading without values says nothing. Equal drivers get different names, so that each has full reports.
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

  /** Replaces the open drivers; those that did not change stay open. */
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
      return { ...one, source: new DriverSource({ ...one, place: { ...part, steadyMs, log, inQueue }, say, patience }) }
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
    /** Returns a text for people about the drivers of a part. Throws `HardwareError` with the reason why not. */
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
