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
  /** The id of the measurement; null while none is chosen. */
  measurement: z.int32().positive().nullable(),
  conditionValue: z.number(),
  thenValue: z.int32(),
  elseValue: z.int32(),
  logicalName: z.string().max(LONGEST_LOGICAL_NAME),
})

/** An operator applies each of these sections separately; the command of each is `{section}.apply`. */
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
 * Every client knows these. A client that does not know one of `sections` cannot read the document at all, so the
 * others are in `laterSections`, from which each client takes what it knows.
 */
const FIRST_SECTIONS: readonly SettingsSection[] = ['display', 'ambientSensor', 'turnOff']

export const spreadSections = (sections: readonly DesiredSection[]) => ({
  sections: sections.filter(({ section: name }) => FIRST_SECTIONS.includes(name)),
  laterSections: sections.filter(({ section: name }) => !FIRST_SECTIONS.includes(name)),
})

/** Returns every section of a document that this program knows. */
export const sectionsOf = ({ sections, laterSections }: Pick<DeviceSettings, 'sections' | 'laterSections'>) => [
  ...sections,
  ...laterSections.flatMap((later) => {
    const read = desiredSection.safeParse(later)
    return read.success ? [read.data] : []
  }),
]

/** A server can count this far. A device with a higher version would never take another document. */
export const LARGEST_SETTINGS_VERSION = 2 ** 31 - 1
/** The limit of one packet: a device does not read a longer one, and keeps its settings. */
export const MOST_BYTES_FROM_SERVER = 1024 * 1024

/**
 * Topic `settings`: what the device has, its location and its desired settings. It is versioned as a whole; the newest
 * document wins among those received with one key, and a document received with an earlier key is older than any of
 * them. The device carries out each section whose arguments differ from those that it carried out last, and answers
 * with `settingsReply`.
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
      /** The number of the ambient sensor that controls this display. */
      als: z.int().nullable().default(null),
      buttonRules: z.array(buttonRule).nullable().default(null),
    }),
  ),
  sections: z.array(desiredSection).default([]),
  laterSections: z
    .array(z.object({ section: z.string(), number: z.int(), args: z.record(z.string(), z.unknown()) }))
    .default([]),
  /** The position of the device in degrees, for times by the sun; null while it is unknown. */
  position: z
    .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .nullable()
    .default(null),
  /** The local dates `YYYY-MM-DD` on which the turn-off times of holidays apply. */
  holidays: z.array(z.iso.date()).default([]),
  /** The client that the device shall run; null keeps the present one. */
  client: assignedRelease.nullable().default(null),
  /**
   * The drivers that the console chose for parts; the device's own file takes precedence. A server that sends none does
   * not want reports about drivers (`driverReport`).
   */
  drivers: z.array(desiredDriver).max(40).optional(),
})
export type DeviceSettings = z.output<typeof deviceSettings>

/** The device answers a settings document under this id: topic `replies/settings-{version}`. */
export const settingsReplyId = (version: number) => `settings-${version}`

/**
 * The device's answer to each section of a settings document; `errors` are shown to the operator unchanged. If the
 * document is older than the one it holds, it answers with that one's version and no results, and a server that never
 * wrote that version sends its own again as a newer one.
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
