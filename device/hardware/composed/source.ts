import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type CatalogueField, MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { CommandsByTopic, Driver, Instrument, Place } from '../driver.ts'
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

/** One driver at one part: read on demand, no faster than it answers, and not during a pause after failures. */
export interface Source {
  /** Returns the newest reading; undefined once a newer attempt has failed. */
  read(): Promise<DatedReading | undefined>
  can<Topic extends keyof CommandsByTopic>(topic: Topic, name: keyof CommandsByTopic[Topic]): boolean
  /** @throws HardwareError when it was not carried out, or nobody knows whether it was */
  tell<Topic extends keyof CommandsByTopic>(
    topic: Topic,
    work: (commands: CommandsByTopic[Topic]) => Promise<void> | undefined,
  ): Promise<void>
  /** @throws HardwareError with the reason why not */
  test(): Promise<string>
  close(): void
}

export interface SourceDeps {
  readonly driver: Driver
  readonly options: Readonly<Record<string, unknown>>
  readonly place: Place
  readonly say: (words: string) => void
  readonly patience: Patience
}

export function createSource({ driver, options, place, say, patience }: SourceDeps): Source {
  const { topic, steadyMs, log } = place
  const name = `${partKey(place)} by ${driver.description.name}`
  let instrument: Instrument | undefined
  let isClosed = false
  let newest: (Pick<DatedReading, 'values' | 'trafficBytes'> & { readonly takenAtMs: number }) | undefined
  let underWay: { readonly afterCommands: number; readonly ended: Promise<void> } | undefined
  let failures = 0
  let nextAtMs = Number.NEGATIVE_INFINITY
  /** Counts finished commands: a reading that began before the last of them does not show its result. */
  let commands = 0
  let trouble: string | undefined
  const silence = createSilenceLog(name, say, steadyMs)

  const open = () => {
    if (isClosed) throw new HardwareError(`${name} is not chosen any more.`)
    instrument ??= driver.open(options, place)
    return instrument
  }
  const reopenLater = () => {
    const old = instrument
    instrument = undefined
    try {
      old?.close?.()
    } catch (error) {
      log(`${name} cannot be closed: ${(error as Error).message}`)
    }
  }

  const fail = (reason: string) => {
    newest = undefined
    if (trouble !== reason) log(`${name}: ${reason}`)
    trouble = reason
    nextAtMs = steadyMs() + Math.min(patience.longestRestMs, patience.firstRestMs * 2 ** Math.min(failures, 10))
    failures++
    silence.failed(failures, reason)
  }

  const readOnce = async (afterCommands: number) => {
    try {
      const reading = await within(patience.readMs, 'It does not answer in time.', (signal) => open().read(signal))
      if (afterCommands < commands) return
      if (reading === undefined) return fail('It does not answer.')
      if (trouble !== undefined) log(`${name} answers again.`)
      trouble = undefined
      failures = 0
      silence.over()
      newest = {
        values: plausible(topic, reading.values),
        takenAtMs: steadyMs() - Math.max(0, reading.takenAgoMs ?? 0),
        ...plausibleTraffic(reading.trafficBytes),
      }
    } catch (error) {
      if (error instanceof TooLate) reopenLater()
      fail(error instanceof Error ? error.message : 'It failed.')
    }
  }

  const begin = () => {
    if (underWay || steadyMs() < nextAtMs) return
    const end = () => {
      underWay = undefined
    }
    underWay = { afterCommands: commands, ended: readOnce(commands).finally(end) }
  }

  const read = async (): Promise<DatedReading | undefined> => {
    if (underWay && underWay.afterCommands < commands) await underWay.ended
    begin()
    // A sample waits for the first reading after a command, however slow it is.
    const isFirst = newest === undefined && commands > 0
    if (underWay) await atMost(isFirst ? patience.readMs : patience.lookMs, underWay.ended)
    const takenAgoMs = newest ? steadyMs() - newest.takenAtMs : Number.POSITIVE_INFINITY
    if (!newest || takenAgoMs > OLDEST_READING_MS) return undefined
    const { takenAtMs: _, ...told } = newest
    return { source: driver.description.name, ...told, takenAgoMs }
  }

  return {
    read,
    can: (topic, command) => {
      try {
        return hasCommand(open().commands, topic, String(command))
      } catch (error) {
        log(`${name} cannot be opened: ${(error as Error).message}`)
        return false
      }
    },
    async tell(topic, work) {
      try {
        const order = () => {
          const commands = open().commands?.[topic]
          return (commands && work(commands as CommandsByTopic[typeof topic])) ?? cannot(name)
        }
        await within(patience.commandMs, `Nobody knows whether ${name} did it: it did not answer in time.`, order)
      } catch (error) {
        if (error instanceof TooLate) reopenLater()
        throw told(error)
      } finally {
        commands++
        newest = undefined
        nextAtMs = Number.NEGATIVE_INFINITY
      }
    },
    async test() {
      try {
        const sentence = await within(patience.testMs, 'It does not answer in time.', (signal) => open().test(signal))
        return withoutPaths(sentence)
      } catch (error) {
        if (error instanceof TooLate) reopenLater()
        throw told(error)
      }
    },
    close: () => {
      isClosed = true
      reopenLater()
    },
  }
}

/**
 * Informs operators of a driver that has failed twice in a row, since one failure is a lost packet, and when it answers
 * again. A driver that comes and goes is mentioned rarely, and the rest is in the device's own log.
 */
function createSilenceLog(name: string, say: SourceDeps['say'], steadyMs: Place['steadyMs']) {
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isSaid = false
  return {
    failed: (failures: number, reason: string) => {
      if (failures !== TOLD_AFTER_FAILURES || steadyMs() - saidAtMs < TOLD_AGAIN_AFTER_MS) return
      saidAtMs = steadyMs()
      isSaid = true
      say(`${name} does not answer: ${withoutPaths(reason)}`)
    },
    over: () => {
      if (isSaid) say(`${name} answers again.`)
      isSaid = false
    },
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
