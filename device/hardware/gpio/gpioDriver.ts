import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import type { OptionsOf } from '#domain/drivers/driverDescription.ts'
import { GPIO, type GpioLine } from '#domain/drivers/gpioDescription.ts'
import { driver, type Instrument, type Place } from '../driver.ts'
import type { HeldProgram } from '../exec/heldProgram.ts'
import { HardwareError } from '../hardware.ts'
import type { Reading } from '../readings.ts'
import { powerCycle } from '../wire/powerCycle.ts'
import { createGpioPrograms, type GpioPrograms, levelOf } from './gpioPrograms.ts'

type GpioOptions = OptionsOf<typeof GPIO>

const fieldsOf = (topic: string): readonly string[] => {
  const fields = eventTypeByTopic(topic)?.fields.map(({ name }) => name) ?? []
  return topic === 'ecu' ? ['door_status'] : fields
}

/** Door contacts are read at each sample. */
function openContacts(lines: Readonly<Record<string, GpioLine>>, programs: GpioPrograms) {
  const entries = Object.entries(lines)
  return async (signal: AbortSignal): Promise<Reading> => {
    const levels = await programs.levels(
      entries.map(([, { line }]) => line),
      signal,
    )
    return Object.fromEntries(entries.map(([field, line], at) => [field, levelOf(levels[at] === 1, line)]))
  }
}

/** Buttons are counted while the client runs, so that a press between two samples is not missed. */
function openButtons(lines: Readonly<Record<string, GpioLine>>, programs: GpioPrograms) {
  const presses = new Map(Object.values(lines).map(({ line }) => [line, 0]))
  const watching = new Map<boolean, HeldProgram>()
  const watch = async (isInverted: boolean) => {
    const offsets = Object.values(lines).flatMap((one) => (one.isInverted === isInverted ? [one.line] : []))
    if (offsets.length === 0 || watching.get(isInverted)?.isRunning()) return
    const program = await programs.watch(offsets, isInverted ? 0 : 1, (line) => {
      const before = presses.get(line)
      if (before !== undefined) presses.set(line, before + 1)
    })
    watching.set(isInverted, program)
  }
  return {
    read: async (): Promise<Reading> => {
      await Promise.all([watch(false), watch(true)])
      return Object.fromEntries(Object.entries(lines).map(([field, { line }]) => [field, presses.get(line)]))
    },
    end: () => Promise.all([...watching.values()].map((program) => program.end())),
  }
}

/** The last desired state of a line survives the reopening of an instrument, because nobody asked for another one. */
const wantedOf = new Map<string, boolean>()

interface OutletDeps {
  readonly lines: Readonly<Record<string, GpioLine>>
  readonly isOnFirst: boolean
  readonly programs: GpioPrograms
  readonly chip: string
  readonly inQueue: Place['inQueue']
}

/** A relay's line is driven by a program as long as that runs; its state before cannot be read. */
function openOutlets({ lines, isOnFirst, programs, chip, inQueue }: OutletDeps) {
  const driving = new Map<string, { readonly isOn: boolean; readonly program: HeldProgram }>()
  const busy = new Set<string>()
  const placeOf = (field: string) => `${chip} ${lines[field]?.line}`

  const drive = async (field: string, isOn: boolean) => {
    const line = lines[field]
    if (!line) throw new HardwareError(`No GPIO line is named for ${field}.`)
    wantedOf.set(placeOf(field), isOn)
    const now = driving.get(field)
    if (now?.isOn === isOn && now.program.isRunning()) return
    await now?.program.end()
    const program = await programs.drive(line.line, levelOf(isOn, line))
    driving.set(field, { isOn, program })
  }
  /** Work on one line runs in sequence; a sample does not wait for a reset. */
  const work = (field: string, what: () => Promise<void>) =>
    inQueue(placeOf(field), async () => {
      busy.add(field)
      await what().finally(() => busy.delete(field))
    })
  const isDriven = (field: string) => driving.get(field)?.program.isRunning() === true
  return {
    read: async (): Promise<Reading> => {
      const idle = Object.keys(lines).filter((field) => !busy.has(field) && !isDriven(field))
      await Promise.all(idle.map((field) => work(field, () => drive(field, wantedOf.get(placeOf(field)) ?? isOnFirst))))
      const known = Object.keys(lines).filter(isDriven)
      return Object.fromEntries(known.map((field) => [field, Number(driving.get(field)?.isOn)]))
    },
    end: () => Promise.all([...driving.values()].map(({ program }) => program.end())),
    commands: {
      set: (port: number, isOn: boolean) => work(`port${port}_status`, () => drive(`port${port}_status`, isOn)),
      reset: (port: number) => {
        const field = `port${port}_status`
        return work(field, () =>
          powerCycle(
            () => drive(field, false),
            () => drive(field, true),
          ),
        )
      },
    },
  }
}

function openGpio({ chip, lines, startsWith, folder }: GpioOptions, place: Place): Instrument {
  const { topic, inQueue } = place
  const programs = createGpioPrograms(chip, folder, place)
  const buttons = topic === 'yocto' ? openButtons(lines, programs) : undefined
  const outlets =
    topic === 'relay' || topic === 'power-switch'
      ? openOutlets({ lines, isOnFirst: startsWith === 'on', programs, chip, inQueue })
      : undefined
  const read = buttons?.read ?? outlets?.read ?? openContacts(lines, programs)
  return {
    read: async (signal) => ({ values: await read(signal) }),
    test: async (signal) => {
      const said = Object.entries(await read(signal)).map(([field, value]) => `${field} ${value}`)
      return `The GPIO lines of the computer answer: ${said.join(', ')}.`
    },
    ...(outlets && { commands: { [topic]: outlets.commands } }),
    close: () => {
      programs.close()
      void buttons?.end()
      void outlets?.end()
    },
  }
}

export const gpioDriver = driver(GPIO, {
  problem: ({ lines }, topic) => {
    const known = fieldsOf(topic)
    const unknown = Object.keys(lines).find((field) => !known.includes(field))
    if (unknown !== undefined)
      return {
        field: `lines.${unknown}`,
        reason: `is nothing that a line can be of ${topic}, which has ${known.join(', ')}`,
      }
    return Object.keys(lines).length > 0 ? undefined : { field: 'lines', reason: 'names no line' }
  },
  open: openGpio,
})
