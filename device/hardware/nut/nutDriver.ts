import { setTimeout } from 'node:timers/promises'
import { UPS_ON_GRID } from '#domain/catalogue/displayRules.ts'
import { isFault } from '#domain/catalogue/faults.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { NUT } from '#domain/drivers/nutDescription.ts'
import { type Candidate, type DriverReading, driver, type Instrument, type Surroundings } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import type { PowerSwitchReading } from '../readings.ts'
import { listeningAt } from '../wire/listeningAt.ts'
import { type UpsdAddress, UpsdRefusal, type UpsdSession, withUpsd } from './upsdSession.ts'
import { upsReading, type Variables } from './upsVariables.ts'

type NutOptions = OptionsOf<typeof NUT>

const COMMAND_ENDS_AFTER_MS = 6000
const ASKS_AGAIN_AFTER_MS = 100
const OUTLETS = [1, 2] as const

/** The refusals of upsd in whole words, by the codes of RFC 9271 §5.3. */
const REFUSALS: Readonly<Record<string, string>> = {
  'ACCESS-DENIED': 'upsd does not let this user do that.',
  'UNKNOWN-UPS': 'upsd knows no UPS of this name.',
  'DRIVER-NOT-CONNECTED': 'upsd runs, but its driver for this UPS does not.',
  'DATA-STALE': 'upsd runs, but the UPS does not answer it.',
  'INVALID-USERNAME': 'upsd does not know this user.',
  'INVALID-PASSWORD': 'upsd does not take this password.',
  'USERNAME-REQUIRED': 'upsd wants a user for that; the options of this part name none.',
  'PASSWORD-REQUIRED': 'upsd wants a password for that; the options of this part have none.',
  'CMD-NOT-SUPPORTED': 'This UPS cannot do that.',
  'INSTCMD-FAILED': 'The UPS was told, and did not do it.',
}

/** A server answers like this when its UPS is silent; older values must not pass for present ones. */
const IS_SILENCE: readonly string[] = ['DATA-STALE', 'DRIVER-NOT-CONNECTED']

const describeError = (error: unknown): unknown =>
  error instanceof UpsdRefusal ? new HardwareError(REFUSALS[error.word] ?? `upsd answers ${error.word}.`) : error

async function variablesOf(session: UpsdSession, ups: string): Promise<Variables> {
  const lines = await session.list(`VAR ${ups}`)
  return new Map(lines.map(([, , name = '', value = '']) => [name, value]))
}

function outletsReading(variables: Variables): PowerSwitchReading {
  const stateOf = (outlet: number) => {
    const word = variables.get(`outlet.${outlet}.status`)?.toLowerCase()
    return word === 'on' ? 1 : word === 'off' ? 0 : undefined
  }
  return { port1_status: stateOf(1), port2_status: stateOf(2) }
}

function sentenceOf(variables: Variables): string {
  const { status, battery_charge: charge, alarm } = upsReading(variables)
  const power = status === undefined ? 'says no status' : status === UPS_ON_GRID ? 'on line' : 'on battery'
  const told = [
    power,
    ...(charge === undefined ? [] : [`charge ${charge} %`]),
    ...(isFault(alarm) ? [`alarm: ${alarm}`] : []),
  ]
  return told.join(', ')
}

/**
 * `OK` means without tracking (NUT before 2.8) that the command was passed on; with it upsd reports the result.
 *
 * @throws HardwareError also when the result is unknown: it is not commanded a second time
 */
async function orderOnce(session: UpsdSession, ups: string, name: string): Promise<void> {
  await session.say('SET', 'TRACKING', 'ON').catch(onlyRefused)
  let isTold = false
  try {
    const [, , trackingId] = await session.say('INSTCMD', ups, name)
    isTold = true
    while (trackingId !== undefined && (await session.say('GET', 'TRACKING', trackingId))[0] === 'PENDING') {
      await setTimeout(ASKS_AGAIN_AFTER_MS)
    }
  } catch (error) {
    if (!(error instanceof UpsdRefusal)) {
      throw new HardwareError(
        `Nobody knows whether the UPS did ${name}: the connection to upsd ended before it said so.`,
      )
    }
    throw isTold ? new HardwareError(`The UPS was told ${name}, and did not do it.`) : error
  }
}

function onlyRefused(error: unknown): void {
  if (!(error instanceof UpsdRefusal)) throw error
}

function openNut(options: NutOptions, topic: string): Instrument {
  const at: UpsdAddress = options
  const ask = async <Result>(signal: AbortSignal, work: (session: UpsdSession) => Promise<Result>): Promise<Result> => {
    try {
      return await withUpsd(at, signal, work)
    } catch (error) {
      throw describeError(error)
    }
  }

  /** Sends the first of these commands that the UPS offers, once. */
  const order = (...names: readonly string[]) =>
    ask(AbortSignal.timeout(COMMAND_ENDS_AFTER_MS), async (session) => {
      const offered = new Set((await session.list(`CMD ${options.ups}`)).map(([, , name]) => name))
      const name = names.find((one) => offered.has(one))
      if (name === undefined) {
        throw new HardwareError(`The UPS "${options.ups}" offers none of ${names.join(', ')}.`)
      }
      await orderOnce(session, options.ups, name)
    })

  const read = async (signal: AbortSignal): Promise<DriverReading | undefined> => {
    try {
      const variables = await withUpsd(at, signal, (session) => variablesOf(session, options.ups))
      return { values: topic === 'ups' ? upsReading(variables) : outletsReading(variables) }
    } catch (error) {
      if (error instanceof UpsdRefusal && IS_SILENCE.includes(error.word)) return undefined
      throw describeError(error)
    }
  }

  return {
    read,
    test: (signal) =>
      ask(signal, async (session) => {
        const variables = await variablesOf(session, options.ups)
        const outlets = OUTLETS.filter((outlet) => variables.has(`outlet.${outlet}.status`))
        const known = topic === 'ups' ? sentenceOf(variables) : `switchable outlets: ${outlets.join(', ') || 'none'}`
        return `NUT at ${options.host}:${options.port} answers: UPS "${options.ups}" ${known}.`
      }),
    commands: {
      ups: {
        reboot: () => order('shutdown.reboot', 'shutdown.return'),
        shutdown: () => order('shutdown.stayoff', 'load.off'),
        resetGroup: (group) =>
          order(`outlet.group.${group}.load.cycle`, `outlet.${group}.load.cycle`, `outlet.${group}.shutdown.return`),
        testBattery: () => order('test.battery.start.quick', 'test.battery.start', 'test.battery.start.deep'),
      },
      'power-switch': {
        set: (outlet, isOn) => order(`outlet.${outlet}.load.${isOn ? 'on' : 'off'}`),
        reset: (outlet) => order(`outlet.${outlet}.load.cycle`, `outlet.${outlet}.shutdown.return`),
      },
    },
  }
}

const USUAL_PORT = NUT.options.port.fallback ?? 0

/** Each upsd that answers names its UPSes. */
async function nutCandidates(around: Surroundings, signal: AbortSignal): Promise<readonly Candidate[]> {
  const places = await listeningAt(around, USUAL_PORT, signal)
  const found = places.map(async (place) => {
    const at = { port: USUAL_PORT, ...place }
    const named = await withUpsd(at, signal, (session) => session.list('UPS')).catch(() => [])
    return named.map(([, ups = '']) => ({ topic: 'ups' as const, options: { ...place, ups } }))
  })
  return (await Promise.all(found)).flat()
}

export const nutDriver = driver(NUT, {
  open: (options, { topic }) => openNut(options, topic),
  probe: nutCandidates,
})
