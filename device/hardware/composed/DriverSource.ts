import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type CatalogueField, MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { CommandsByTopic, Driver, DriverReading, Instrument, Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DatedReading } from '../readings.ts'
import { type Patience, TooLate, within } from './guarded.ts'

/** A reading older than two report periods says nothing about the present. */
const OLDEST_READING_MS = 120_000

const TOLD_AFTER_FAILURES = 2
const TOLD_AGAIN_AFTER_MS = 600_000
/** Matches the path of a serial port or a program, which only the device's own file contains. */
const PATH = /(?<![\w./-])\/[\w./-]*\w/g
/** Removes paths, because operators read the text. */
export const withoutPaths = (words: string): string => words.replaceAll(PATH, '(its path)')
const told = (error: unknown): unknown =>
  error instanceof HardwareError ? new HardwareError(withoutPaths(error.message), { cause: error }) : error

export interface DriverSourceDeps {
  readonly driver: Driver
  readonly options: Readonly<Record<string, unknown>>
  readonly place: Place
  readonly say: (words: string) => void
  readonly patience: Patience
}

type Newest = Pick<DatedReading, 'values' | 'trafficBytes'> & { readonly takenAtMs: number }

/** One driver at one part: read on demand, no faster than it answers, and not during a pause after failures. */
export class DriverSource {
  readonly #deps: DriverSourceDeps
  readonly #name: string
  readonly #silence: SilenceLog
  #instrument: Instrument | undefined
  #isClosed = false
  #newest: Newest | undefined
  #underWay: { readonly afterCommands: number; readonly ended: Promise<void> } | undefined
  #failures = 0
  #nextAtMs = Number.NEGATIVE_INFINITY
  /** Counts finished commands: a reading that began before the last of them does not show its result. */
  #commands = 0
  #trouble: string | undefined

  constructor(deps: DriverSourceDeps) {
    const { driver, place, say } = deps
    this.#deps = deps
    this.#name = `${partKey(place)} by ${driver.description.name}`
    this.#silence = new SilenceLog(this.#name, say, place.steadyMs)
  }

  /** Returns the newest reading; undefined once a newer attempt has failed. */
  async read(): Promise<DatedReading | undefined> {
    const { driver, place, patience } = this.#deps
    if (this.#underWay && this.#underWay.afterCommands < this.#commands) await this.#underWay.ended
    this.#begin()
    // A sample waits for the first reading after a command, however slow it is.
    const isFirst = this.#newest === undefined && this.#commands > 0
    if (this.#underWay) await atMost(isFirst ? patience.readMs : patience.lookMs, this.#underWay.ended)
    if (!this.#newest) return undefined
    const { takenAtMs, ...told } = this.#newest
    const takenAgoMs = place.steadyMs() - takenAtMs
    return takenAgoMs > OLDEST_READING_MS ? undefined : { source: driver.description.name, ...told, takenAgoMs }
  }

  can<Topic extends keyof CommandsByTopic>(topic: Topic, command: keyof CommandsByTopic[Topic]): boolean {
    try {
      return hasCommand(this.#open().commands, topic, String(command))
    } catch (error) {
      this.#deps.place.log(`${this.#name} cannot be opened: ${(error as Error).message}`)
      return false
    }
  }

  /** @throws HardwareError when it was not carried out, or nobody knows whether it was */
  async tell<Topic extends keyof CommandsByTopic>(
    topic: Topic,
    work: (commands: CommandsByTopic[Topic]) => Promise<void> | undefined,
  ): Promise<void> {
    try {
      const order = () => {
        const commands = this.#open().commands?.[topic]
        return (commands && work(commands as CommandsByTopic[Topic])) ?? cannot(this.#name)
      }
      const late = `Nobody knows whether ${this.#name} did it: it did not answer in time.`
      await within(this.#deps.patience.commandMs, late, order)
    } catch (error) {
      if (error instanceof TooLate) this.#reopenLater()
      throw told(error)
    } finally {
      this.#commands++
      this.#newest = undefined
      this.#nextAtMs = Number.NEGATIVE_INFINITY
    }
  }

  /** @throws HardwareError with the reason why not */
  async test(): Promise<string> {
    try {
      const work = (signal: AbortSignal) => this.#open().test(signal)
      return withoutPaths(await within(this.#deps.patience.testMs, 'It does not answer in time.', work))
    } catch (error) {
      if (error instanceof TooLate) this.#reopenLater()
      throw told(error)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#reopenLater()
  }

  #open(): Instrument {
    if (this.#isClosed) throw new HardwareError(`${this.#name} is not chosen any more.`)
    const { driver, options, place } = this.#deps
    this.#instrument ??= driver.open(options, place)
    return this.#instrument
  }

  #reopenLater(): void {
    const old = this.#instrument
    this.#instrument = undefined
    try {
      old?.close?.()
    } catch (error) {
      this.#deps.place.log(`${this.#name} cannot be closed: ${(error as Error).message}`)
    }
  }

  #begin(): void {
    if (this.#underWay || this.#deps.place.steadyMs() < this.#nextAtMs) return
    const ended = this.#readOnce(this.#commands).finally(() => {
      this.#underWay = undefined
    })
    this.#underWay = { afterCommands: this.#commands, ended }
  }

  async #readOnce(afterCommands: number): Promise<void> {
    try {
      const work = (signal: AbortSignal) => this.#open().read(signal)
      const reading = await within(this.#deps.patience.readMs, 'It does not answer in time.', work)
      if (afterCommands < this.#commands) return
      if (reading === undefined) return this.#fail('It does not answer.')
      this.#take(reading)
    } catch (error) {
      if (error instanceof TooLate) this.#reopenLater()
      this.#fail(error instanceof Error ? error.message : 'It failed.')
    }
  }

  #take(reading: DriverReading): void {
    const { topic, steadyMs, log } = this.#deps.place
    if (this.#trouble !== undefined) log(`${this.#name} answers again.`)
    this.#trouble = undefined
    this.#failures = 0
    this.#silence.over()
    this.#newest = {
      values: plausible(topic, reading.values),
      takenAtMs: steadyMs() - Math.max(0, reading.takenAgoMs ?? 0),
      ...plausibleTraffic(reading.trafficBytes),
    }
  }

  #fail(reason: string): void {
    this.#newest = undefined
    const { patience, place } = this.#deps
    if (this.#trouble !== reason) place.log(`${this.#name}: ${reason}`)
    this.#trouble = reason
    const restMs = Math.min(patience.longestRestMs, patience.firstRestMs * 2 ** Math.min(this.#failures, 10))
    this.#nextAtMs = place.steadyMs() + restMs
    this.#failures++
    this.#silence.failed(this.#failures, reason)
  }
}

/**
 * Informs operators of a driver that has failed twice in a row, since one failure is a lost packet, and when it answers
 * again. A driver that comes and goes is mentioned rarely, and the rest is in the device's own log.
 */
class SilenceLog {
  readonly #name: string
  readonly #say: DriverSourceDeps['say']
  readonly #steadyMs: Place['steadyMs']
  #saidAtMs = Number.NEGATIVE_INFINITY
  #isSaid = false

  constructor(name: string, say: DriverSourceDeps['say'], steadyMs: Place['steadyMs']) {
    this.#name = name
    this.#say = say
    this.#steadyMs = steadyMs
  }

  failed(failures: number, reason: string): void {
    if (failures !== TOLD_AFTER_FAILURES || this.#steadyMs() - this.#saidAtMs < TOLD_AGAIN_AFTER_MS) return
    this.#saidAtMs = this.#steadyMs()
    this.#isSaid = true
    this.#say(`${this.#name} does not answer: ${withoutPaths(reason)}`)
  }

  over(): void {
    if (this.#isSaid) this.#say(`${this.#name} answers again.`)
    this.#isSaid = false
  }
}

function hasCommand(commands: Instrument['commands'], topic: keyof CommandsByTopic, command: string): boolean {
  const ofTopic: Readonly<Record<string, unknown>> = commands?.[topic] ?? {}
  return ofTopic[command] !== undefined
}

function cannot(name: string): never {
  throw new HardwareError(`The driver of ${name} cannot do that.`)
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

/** Keeps only fields that the catalogue has for this part: nobody would read the others. */
function plausible(topic: Place['topic'], values: DatedReading['values']): DatedReading['values'] {
  const known: Record<string, number | string | undefined> = {}
  for (const field of eventTypeByTopic(topic)?.fields ?? [])
    known[field.name] = plausibleValue(field, values[field.name])
  return known
}

function plausibleTraffic(bytes: number | undefined): Pick<DatedReading, 'trafficBytes'> {
  return bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? { trafficBytes: bytes } : {}
}

/** Requires a number for a number and a text for a text, and no fraction for counts and states. */
function plausibleValue({ storage, display }: CatalogueField, value: unknown): number | string | undefined {
  if (storage === 'text') return typeof value === 'string' ? value.slice(0, MAXIMUM_TEXT_LENGTH) : undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // Instruments report a negative time when they do not know it.
  if (display === 'duration' && value < 0) return undefined
  if (storage === 'real' || Number.isInteger(value)) return value
  return display === 'duration' ? Math.round(value) : undefined
}
