import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, lineValue } from '#contract/call/values.ts'
import { buttonRule } from '#contract/mqtt/settings.ts'
import { LONGEST_LABEL, PORTS_PER_SWITCH } from '#domain/components/componentFields.ts'
import { PORT_MODES } from '#domain/components/deviceComponent.ts'

const label = lineValue(LONGEST_LABEL)
const portOption = z.enum(['', ...PORT_MODES])

const componentFields = {
  /** A component that is not saved yet has 0 or a negative id. */
  id: z.int32(),
  deviceId: deviceIdValue,
  modelId: z.int32(),
  categoryId: z.int32(),
  number: z.int32(),
  label,
  labelReset: label,
  labelPort1: label,
  labelPort2: label,
  optionPort1: portOption,
  optionPort2: portOption,
  /** The number of the ambient sensor that controls this display; null for none. */
  als: z.int32().nullable(),
  /** The number of the touch screen on this display; null for none. */
  touchMatrix: z.int32().nullable(),
  /** The rules of the five-button module; null for every other component. */
  jsonSettings: z.array(buttonRule).max(5).nullable(),
  /** True when somebody has confirmed that it will report, though it never has. */
  isExpected: z.boolean(),
  /** The ports 1 and 2 of a network switch that nothing is plugged into; they are never reported as wrong. */
  unusedPorts: z.array(z.int32().min(1).max(PORTS_PER_SWITCH)).max(PORTS_PER_SWITCH),
  /** What the maker calls the batch of a display. */
  batch: label.optional(),
  /** The day on which the panel of a display was put in; null where unknown. */
  installedOn: z.iso.date().nullable().optional(),
  removed: z.boolean(),
} as const

export const deviceComponent = z.object({
  ...componentFields,
  /** The kind of report it sends; null when its values come with another component's report. */
  event_type_id: z.number().int().nullable(),
  category: z.string(),
  touch_matrix: z.number().int().nullable(),
})
export type DeviceComponent = z.output<typeof deviceComponent>

export const listDeviceComponents = call({
  method: 'GET',
  path: 'Device/GetDeviceComponents',
  summary: 'Components of a device, by category and number.',
  permission: 'seeDevices',
  shows: ['Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(deviceComponent),
  errors: ['not_found'],
})

export const listDeviceComponentsExt = call({
  method: 'GET',
  path: 'Device/GetDeviceComponentsExt',
  summary: 'Components of a device with the names and limits of their models.',
  permission: 'seeDevices',
  shows: ['Device component'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: z.array(
    deviceComponent.extend({
      modelName: z.string(),
      maximumNumber: z.number().int(),
      /** The device time of its newest report; null when it never reported, or sends no reports of its own. */
      lastReport: z.string().nullable(),
    }),
  ),
  errors: ['not_found'],
})

export const setDeviceComponents = call({
  method: 'POST',
  path: 'Device/SetDeviceComponents',
  summary: 'Save the full component list of one device: new ones, changed ones and those flagged as removed.',
  permission: 'admin',
  body: z
    .array(
      z.strictObject({
        ...componentFields,
        id: componentFields.id.default(0),
        categoryId: componentFields.categoryId.optional(),
        label: label.default(''),
        labelReset: label.default(''),
        labelPort1: label.default(''),
        labelPort2: label.default(''),
        optionPort1: portOption.default(''),
        optionPort2: portOption.default(''),
        als: componentFields.als.default(null),
        touchMatrix: componentFields.touchMatrix.default(null),
        jsonSettings: componentFields.jsonSettings.default(null),
        // What is left out stays unchanged.
        isExpected: componentFields.isExpected.optional(),
        unusedPorts: componentFields.unusedPorts.optional(),
        removed: z.boolean().default(false),
        // The server derives these; they are ignored when a record is sent back as it was read.
        event_type_id: z.number().int().nullable().optional(),
        category: z.string().optional(),
        touch_matrix: z.number().int().nullable().optional(),
      }),
    )
    .min(1)
    .max(100),
  answer: z.array(deviceComponent),
  errors: ['not_found', 'invalid_components'],
  changes: { action: 'Update', entity: 'Device component' },
  stepUp: 'ofSeveral',
  largestBodyBytes: 512 * 1024,
})
