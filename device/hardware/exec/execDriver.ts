import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { EXEC } from '#domain/drivers/execDescription.ts'
import { partKey } from '#domain/drivers/partKey.ts'
import { type CommandsByTopic, type DriverReading, driver, type Instrument, type Place } from '../driver.ts'
import { HardwareError } from '../hardware.ts'
import { createLocalProgram } from './localProgram.ts'

type ExecOptions = OptionsOf<typeof EXEC>
type Values = Readonly<Record<string, number | boolean | object>>

/** Its commands may last as long as the agent waits for any. */
const COMMAND_ENDS_AFTER_MS = 6500

/** The values that each command passes to the program, by the names that its arguments may have in braces. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, (...given: never[]) => Values>>>> = {
  display: {
    apply: (settings: object) => ({ settings }),
    setBacklight: (percent: number) => ({ percent }),
    switchOff: () => ({}),
    switchOn: () => ({}),
  },
  ups: {
    reboot: () => ({}),
    shutdown: () => ({}),
    resetGroup: (group: number) => ({ group }),
    testBattery: () => ({}),
  },
  router: { reset: (number: number) => ({ number }) },
  'power-switch': {
    set: (port: number, on: boolean) => ({ port, on }),
    reset: (port: number) => ({ port }),
  },
  relay: {
    set: (port: number, on: boolean) => ({ port, on }),
    reset: (port: number) => ({ port }),
  },
  'router-relay': { set: (on: boolean) => ({ on }), reset: () => ({}), resetPorts: () => ({}) },
  device: { reboot: () => ({}) },
}

/** `{port}` is the port, `{on}` is on or off, `{settings}` is JSON. An unknown word in braces stays. */
function filledIn(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    if (typeof value === 'boolean') return value ? 'on' : 'off'
    return typeof value === 'number' ? String(value) : JSON.stringify(value)
  })
}

/** The output is a flat object of fields of the catalogue, optionally with `ageSeconds`. */
function readingFrom(output: string, name: string): DriverReading {
  let content: unknown
  try {
    content = JSON.parse(output)
  } catch {
    throw new HardwareError(`${name} prints no JSON.`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new HardwareError(`${name} prints JSON, but no object.`)
  }
  const { ageSeconds, ...fields } = content as Record<string, unknown>
  const values = Object.entries(fields).filter(([, value]) => typeof value === 'number' || typeof value === 'string')
  return {
    values: Object.fromEntries(values) as DriverReading['values'],
    ...(typeof ageSeconds === 'number' && ageSeconds > 0 && { takenAgoMs: 1000 * ageSeconds }),
  }
}

function openExec(options: ExecOptions, place: Place): Instrument {
  const { topic, log } = place
  const name = `The program of ${partKey(place)}`
  const program = createLocalProgram({ program: options.program, name, log })

  const read = async (signal: AbortSignal) =>
    readingFrom(await program.run(options.arguments, 1000 * options.seconds, signal), name)

  const commands = Object.entries(COMMANDS[topic] ?? {}).flatMap(([command, valuesOf]) => {
    const template = options.commands[command]
    if (template === undefined) return []
    const carryOut = async (...given: never[]) => {
      const values = valuesOf(...given)
      await program.run(
        template.map((word) => filledIn(word, values)),
        COMMAND_ENDS_AFTER_MS,
      )
    }
    return [[command, carryOut] as const]
  })

  return {
    read,
    test: async (signal) => {
      const { values } = await read(signal)
      const known = eventTypeByTopic(topic)?.fields.filter((field) => values[field.name] !== undefined) ?? []
      if (known.length === 0) throw new HardwareError(`${name} answers, but with no field of ${topic}.`)
      return `${name} answers: ${known.map((field) => `${field.label} ${values[field.name]}`).join(', ')}.`
    },
    commands: { [topic]: Object.fromEntries(commands) } as Partial<CommandsByTopic>,
    close: () => program.close(),
  }
}

export const execDriver = driver(EXEC, {
  // A misspelt command is found when the agent starts, and not when it is needed.
  problem: ({ commands }, topic) => {
    const known = Object.keys(COMMANDS[topic] ?? {})
    const unknown = Object.keys(commands).find((command) => !known.includes(command))
    if (unknown === undefined) return undefined
    return {
      field: `commands.${unknown}`,
      reason: `is no command of ${topic}, which has ${known.join(', ') || 'none'}`,
    }
  },
  open: openExec,
})
