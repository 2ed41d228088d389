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

/** The open drivers of all parts of a device. */
export class PartDrivers {
  readonly #place: Pick<PartDriversDeps, 'steadyMs' | 'log'> & { readonly inQueue: ReturnType<typeof createLineQueue> }
  readonly #say: (words: string) => void
  readonly #patience: Patience
  readonly #dated = new Map<string, readonly DatedReading[]>()
  readonly #traffic = new Map<string, number | undefined>()
  #open: ReadonlyMap<string, readonly OpenDriver[]> = new Map()

  constructor({ steadyMs, log, say = () => {}, patience = PATIENCE }: PartDriversDeps) {
    this.#place = { steadyMs, log, inQueue: createLineQueue() }
    this.#say = say
    this.#patience = patience
  }

  /** Replaces the open drivers; those that did not change stay open. */
  choose(chosen: ChosenDrivers): void {
    const left = new Set([...this.#open.values()].flat())
    const openOne = (key: string, one: ChosenDriver): OpenDriver => {
      const same = this.#open.get(key)?.find((old) => left.has(old) && isSame(old, one))
      if (!same) return { ...one, source: this.#sourceOf(key, one) }
      left.delete(same)
      return same
    }
    this.#open = new Map([...chosen].map(([key, drivers]) => [key, drivers.map((one) => openOne(key, one))]))
    this.#dated.clear()
    this.#traffic.clear()
    for (const { source } of left) source.close()
  }

  readonly partOf: PartOf = (topic, number) => {
    const sources = this.#sourcesOf({ topic, number })
    if (sources.length === 0) return undefined
    return {
      read: () => this.#read({ topic, number }),
      trafficBytes: () => this.#traffic.get(partKey({ topic, number })),
      can: (name) => sources.some((source) => source.can(topic, name)),
      tell: async (name, work) => {
        const able = sources.find((source) => source.can(topic, name))
        if (!able) throw new HardwareError(`No driver of ${partKey({ topic, number })} can do that.`)
        await able.tell(topic, work)
      },
    }
  }

  readonly readableOf = (part: Part) =>
    this.#sourcesOf(part).length > 0 ? { read: () => this.#read(part) } : undefined

  readonly dated = (part: Part): readonly DatedReading[] => this.#dated.get(partKey(part)) ?? []

  /** Returns a text for people about the drivers of a part. Throws `HardwareError` with the reason why not. */
  async test(part: Part): Promise<string> {
    const sources = this.#sourcesOf(part)
    if (sources.length === 0) throw new HardwareError(`No driver is chosen for ${partKey(part)}.`)
    const sentences = await Promise.all(sources.map((source) => source.test()))
    return sentences.join(' ').slice(0, LONGEST_ANSWER)
  }

  #sourcesOf(part: Part): readonly DriverSource[] {
    return (this.#open.get(partKey(part)) ?? []).map(({ source }) => source)
  }

  #sourceOf(key: string, one: ChosenDriver): DriverSource {
    const part = readPartKey(key)
    if (!part) throw new Error(`${key} is no part.`)
    const place = { ...part, ...this.#place }
    return new DriverSource({ ...one, place, say: this.#say, patience: this.#patience })
  }

  /** All drivers of a part are asked at once, so that none waits for another. */
  async #read(part: Part): Promise<Reading | undefined> {
    const readings = await Promise.all(this.#sourcesOf(part).map((source) => source.read()))
    // A reading without values says nothing. Equal drivers get different names, so that each has full reports.
    const known = readings.flatMap((one, at) =>
      one && saysAnything(one) ? [{ ...one, source: at === 0 ? one.source : `${one.source} ${at + 1}` }] : [],
    )
    this.#dated.set(partKey(part), known)
    this.#traffic.set(partKey(part), known.find((one) => one.trafficBytes !== undefined)?.trafficBytes)
    return known.length === 0 ? undefined : Object.assign({}, ...known.map(({ values }) => knownOf(values)).reverse())
  }
}

const saysAnything = ({ values, trafficBytes }: DatedReading): boolean =>
  trafficBytes !== undefined || Object.keys(knownOf(values)).length > 0

const isSame = (one: ChosenDriver, other: ChosenDriver): boolean =>
  one.driver === other.driver && isDeepStrictEqual(one.options, other.options)
