import { z } from 'zod'
import { OPERATOR_CODES } from '#domain/alerts/operators.ts'
import { LONGEST_LOGICAL_NAME } from '#domain/displays/buttonRules.ts'
import { assignedRelease } from './client.ts'
import { COMMANDS } from './command.ts'
import { desiredDriver } from './drivers.ts'

/**
 * One rule of the five-button module: if measurement ⟨operator⟩ conditionValue then thenValue else elseValue, reported
 * as `yocto_{number}` (rules/setup 12).
 */
export const buttonRule = z.strictObject({
  number: z.int().min(1).max(5),
  active: z.boolean(),
  operator: z.enum(OPERATOR_CODES),
  /** Id of the measurement; null while none is chosen. */
  measurement: z.int32().positive().nullable(),
  conditionValue: z.number(),
  thenValue: z.int32(),
  elseValue: z.int32(),
  logicalName: z.string().max(LONGEST_LOGICAL_NAME),
})
export type ButtonRule = z.output<typeof buttonRule>

/** Parts of the settings that an operator applies by themselves; the command of each is `{section}.apply`. */
export const SETTINGS_SECTIONS = [
  'display',
  'ambientSensor',
  'turnOff',
  'dayPlan',
  'batteryTest',
  'dataBudget',
] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

const section = <Name extends SettingsSection>(name: Name) =>
  z.object({ section: z.literal(name), number: z.int().min(1).max(3), args: COMMANDS[`${name}.apply`] })

/** What one section is to be, with the arguments of its command. */
export const desiredSection = z.discriminatedUnion('section', [
  section('display'),
  section('ambientSensor'),
  section('turnOff'),
  section('dayPlan'),
  section('batteryTest'),
  section('dataBudget'),
])
export type DesiredSection = z.output<typeof desiredSection>

/**
 * Those that every client knows. A client to which one of `sections` is new understands nothing of the document, so all
 * others stand in `laterSections`, of which each client takes what it knows.
 */
const FIRST_SECTIONS: readonly SettingsSection[] = ['display', 'ambientSensor', 'turnOff']

/** As the document carries them. */
export const spreadSections = (sections: readonly DesiredSection[]) => ({
  sections: sections.filter(({ section: name }) => FIRST_SECTIONS.includes(name)),
  laterSections: sections.filter(({ section: name }) => !FIRST_SECTIONS.includes(name)),
})

/** Everything that a document asks for, as far as this program knows it. */
export const sectionsOf = ({ sections, laterSections }: Pick<DeviceSettings, 'sections' | 'laterSections'>) => [
  ...sections,
  ...laterSections.flatMap((later) => {
    const read = desiredSection.safeParse(later)
    return read.success ? [read.data] : []
  }),
]

/** As far as a server can count. A device that was told more by some server would never take another document. */
export const LARGEST_SETTINGS_VERSION = 2 ** 31 - 1
/** Of one packet: a device does not read what is longer, and keeps the settings that it has. */
export const MOST_BYTES_FROM_SERVER = 1024 * 1024

/**
 * Topic `settings`: what the device has, where it stands and how it is to be set. Versioned as a whole; the newest
 * wins among those that the device got with one key: what came with an earlier key is older than anything. The device
 * carries out each section whose arguments differ from those that it carried out last, and answers with `settingsReply`.
 */
export const deviceSettings = z.object({
  version: z.int().min(1).max(LARGEST_SETTINGS_VERSION),
  modelId: z.int(),
  timeZone: z.string(),
  components: z.array(
    z.object({
      componentModelId: z.int(),
      number: z.int().min(1),
      label: z.string(),
      /** Of a display: number of the ambient sensor that steers it. */
      als: z.int().nullable().default(null),
      buttonRules: z.array(buttonRule).nullable().default(null),
    }),
  ),
  sections: z.array(desiredSection).default([]),
  laterSections: z
    .array(z.object({ section: z.string(), number: z.int(), args: z.record(z.string(), z.unknown()) }))
    .default([]),
  /** Where the device stands, in degrees, for what goes by the sun; null while nobody has said it. */
  position: z
    .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .nullable()
    .default(null),
  /** Local dates `YYYY-MM-DD` on which the turn-off times of holidays hold. */
  holidays: z.array(z.iso.date()).default([]),
  /** The client that the device is to run; null: the one that it runs. */
  client: assignedRelease.nullable().default(null),
  /**
   * Which drivers the console chose for which parts; what the device's own file says of a part goes before. A server that
   * sends none does not want to hear of drivers (`driversTold`).
   */
  drivers: z.array(desiredDriver).max(40).optional(),
})
export type DeviceSettings = z.output<typeof deviceSettings>

/** Id under which the device answers a settings document: topic `replies/settings-{version}`. */
export const settingsReplyId = (version: number) => `settings-${version}`

/**
 * What the device says to each section of a settings document; `errors` are shown to the operator as they are. To a
 * document that is older than the one it holds it answers with the version of that one and no results: a server that
 * never wrote that version sends its own again as a newer one.
 */
export const settingsReply = z.strictObject({
  version: z.int().min(1),
  results: z
    .array(
      z.strictObject({
        section: z.enum(SETTINGS_SECTIONS),
        number: z.int().min(1).max(3),
        ok: z.boolean(),
        errors: z.array(z.string().max(2000)).max(50),
      }),
    )
    .max(20),
})
export type SettingsReply = z.output<typeof settingsReply>
