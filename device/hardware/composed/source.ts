import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { type CatalogueField, MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import type { CommandsByTopic, Driver, Instrument, Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { DatedReading } from '../readings.ts'
import { type Patience, TooLate, within } from './guarded.ts'

/** What is older says nothing of now: two report periods. */
const OLDEST_READING_MS = 120_000

const TOLD_AFTER_FAILURES = 2
const TOLD_AGAIN_AFTER_MS = 600_000
/** Of a serial port or a program, which only the totem's own file names. */
const PATH = /(?<![\w./-])\/[\w./-]*\w/g
/** What operators may read of it. */
export const withoutPaths = (words: string): string => words.replaceAll(PATH, '(its path)')
const told = (error: unknown): unknown =>
  error instanceof HardwareError ? new HardwareError(withoutPaths(error.message), { cause: error }) : error

/** One driver at one part: reads when asked and not more often than it answers, and is left alone while it does not. */
export interface Source {
  /** The newest reading, as far as it is one: undefined once a newer try has failed. */
  read(): Promise<DatedReading | undefined>
  can<Topic extends keyof CommandsByTopic>(topic: Topic, name: keyof CommandsByTopic[Topic]): boolean
  /** @throws HardwareError when it was not carried out, or when nobody knows */
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
  /** How many have ended: what a reading began before the last of them is not what came of it. */
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
    // Of what came of a command a look waits for the first reading, however slow.
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
 * Tells operators of a driver that has failed twice in a row, and when it answers again: once is a lost packet. One that comes
 * and goes is told of seldom, and the rest stands in the totem's own log.
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

/** Only what the catalogue knows of this part: a driver that says a thousand things says them to nobody. */
function plausible(topic: Place['topic'], values: DatedReading['values']): DatedReading['values'] {
  const known: Record<string, number | string | undefined> = {}
  for (const field of eventTypeByTopic(topic)?.fields ?? [])
    known[field.name] = plausibleValue(field, values[field.name])
  return known
}

function plausibleTraffic(bytes: number | undefined): Pick<DatedReading, 'trafficBytes'> {
  return bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? { trafficBytes: bytes } : {}
}

/** A number for a number, a text for a text, and of what is counted or in a state no fraction. */
function plausibleValue({ storage, display }: CatalogueField, value: unknown): number | string | undefined {
  if (storage === 'text') return typeof value === 'string' ? value.slice(0, MAXIMUM_TEXT_LENGTH) : undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // A time below zero is how instruments say that they do not know it.
  if (display === 'duration' && value < 0) return undefined
  if (storage === 'real' || Number.isInteger(value)) return value
  return display === 'duration' ? Math.round(value) : undefined
}
