import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, momentValue } from '#contract/call/values.ts'
import { discoveryReport } from '#contract/mqtt/discovery.ts'
import { driverOptions, optionName, optionValue } from '#contract/mqtt/drivers.ts'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { partKey } from '#domain/drivers/partKey.ts'

const PART_KEYS = EVENT_TYPES.flatMap(({ topic, prefixes }) =>
  prefixes.map((_, index) => partKey({ topic, number: index + 1 })),
) as [string, ...string[]]

/** Configuration names a part of a device like this: `ups`, `display/2`. */
export const partOfDevice = z.enum(PART_KEYS)

const deviceDrivers = z.object({
  parts: z.array(
    z.object({
      part: z.string(),
      /** The driver that the console chose; null for none. */
      chosen: z
        .object({
          driver: z.string(),
          /** The options without the secret ones. */
          options: driverOptions,
          secrets: z.array(z.string()),
        })
        .nullable(),
      /** Says whose choice the device uses. Null while the device has not said anything about this part. */
      setBy: z.enum(['file', 'console']).nullable(),
      used: z.array(z.string()),
      /** The device's own words for why it does not use what the console chose. */
      refusal: z.string().nullable(),
    }),
  ),
  /** What the client says about itself; null while the running client has not said that it knows drivers. */
  client: z
    .object({
      /** The drivers that the client has, of those that the console may choose. */
      known: z.array(z.string()),
      /** The networks that the device's own file lets drivers of the console connect to. */
      allowedNetworks: z.array(z.string()),
    })
    .nullable(),
  /** What the assistant has found on the device (`agent --discover`); null until somebody has looked. */
  found: discoveryReport.omit({ clientVersion: true }).extend({ at: momentValue }).nullable(),
})
export type DeviceDrivers = z.output<typeof deviceDrivers>

export const getDeviceDrivers = call({
  method: 'GET',
  path: 'Device/GetDeviceDrivers',
  summary: 'Which driver reads and switches which part of a device, without secrets.',
  permission: 'seeDevices',
  shows: ['Device component', 'Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: deviceDrivers,
  errors: ['not_found'],
})

export const setDeviceDriver = call({
  method: 'POST',
  path: 'Device/SetDeviceDriver',
  summary:
    'Choose the driver of one part. A secret that is left out stays as it is, unless the driver goes elsewhere: then it is to be given anew.',
  permission: 'admin',
  body: z.strictObject({
    deviceId: deviceIdValue,
    part: partOfDevice,
    /** Null removes the choice, so that the part works as without a driver. */
    driver: z.string().min(1).max(40).nullable(),
    /** Null deletes a secret. Null for any other option is the same as leaving it out. */
    options: z.record(optionName, optionValue.nullable()).default({}),
  }),
  answer: deviceDrivers,
  errors: ['not_found', 'invalid_driver'],
  changes: { action: 'Update', entity: 'Device component' },
  stepUp: 'ofSeveral',
  stepUpToMoveSecret: true,
})
