import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue } from '#contract/call/values.ts'
import { driverOptions, optionName, optionValue } from '#contract/mqtt/drivers.ts'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { partKey } from '#domain/drivers/partKey.ts'

const PART_KEYS = EVENT_TYPES.flatMap(({ topic, prefixes }) =>
  prefixes.map((_, index) => partKey({ topic, number: index + 1 })),
) as [string, ...string[]]

/** A part of a device, as configuration names it: `ups`, `display/2`. */
export const partOfDevice = z.enum(PART_KEYS)

const deviceDrivers = z.object({
  /** Every part that the device reports. */
  parts: z.array(
    z.object({
      part: z.string(),
      /** What the console chose; null: nothing. */
      chosen: z
        .object({
          driver: z.string(),
          /** Without those that are secret. */
          options: driverOptions,
          /** Names of the secrets that are set. */
          secrets: z.array(z.string()),
        })
        .nullable(),
      /** As the device says: whose choice holds there. Null while it has said nothing of this part. */
      setBy: z.enum(['file', 'console']).nullable(),
      /** Drivers that it uses there. */
      used: z.array(z.string()),
      /** The device's words for why it does not use what the console chose. */
      refusal: z.string().nullable(),
    }),
  ),
  /** What its client says of itself; null: the client that it runs has not said that it knows drivers. */
  client: z
    .object({
      /** Drivers that it knows, of those that the console may choose. */
      known: z.array(z.string()),
      /** Where its own file lets the console have it connect to. */
      allowedNetworks: z.array(z.string()),
    })
    .nullable(),
})
export type DeviceDrivers = z.output<typeof deviceDrivers>

export const getDeviceDrivers = call({
  method: 'GET',
  path: 'Device/GetDeviceDrivers',
  summary: 'Which driver reads and switches which part of a device, without secrets.',
  permission: 'seeDevices',
  shows: ['Device component', 'Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  answer: deviceDrivers,
  errors: ['not_found'],
})

export const setDeviceDriver = call({
  method: 'POST',
  path: 'Device/SetDeviceDriver',
  summary:
    'Choose the driver of one part. A secret that is left out stays as it is, unless the driver goes elsewhere: then it is to be given anew.',
  permission: 'admin',
  query: nothing,
  body: z.strictObject({
    deviceId: deviceIdValue,
    part: partOfDevice,
    /** Null: none, so that the part is what it was without. */
    driver: z.string().min(1).max(40).nullable(),
    /** Null of a secret: it is to be no more. Null of anything else is as left out. */
    options: z.record(optionName, optionValue.nullable()).default({}),
  }),
  answer: deviceDrivers,
  errors: ['not_found', 'invalid_driver'],
  changes: { action: 'Update', entity: 'Device component' },
  stepUp: 'ofSeveral',
  stepUpToMoveSecret: true,
})
