import { z } from 'zod'
import { clientVersionValue } from './client.ts'

/** Configuration names a part of a device like this: `ups`, `display/2` (domain/drivers/partKey.ts). */
export const partKeyValue = z.string().regex(/^[a-z-]{1,20}(\/[2-9])?$/)
export const driverName = z.string().regex(/^[a-z0-9-]{1,40}$/)
export const optionName = z.string().regex(/^[A-Za-z0-9]{1,40}$/)
export const optionValue = z.union([z.string().max(200), z.number(), z.boolean()])
export const driverOptions = z.record(optionName, optionValue)

/** The settings document says which driver the console chose for a part, with its secrets. */
export const desiredDriver = z.object({ part: partKeyValue, driver: driverName, options: driverOptions })
export type DesiredDriver = z.output<typeof desiredDriver>

/** Topic `replies/drivers`: after each settings document, and at each connect once the server named drivers. */
export const DRIVERS_REPLY_ID = 'drivers'

/** The device's report about its drivers, which never contains their options. */
export const driverReport = z.strictObject({
  clientVersion: clientVersionValue,
  /** The drivers that the client has and the console may choose. */
  known: z.array(driverName).max(100),
  /** The networks that the device's own file lets drivers of the console connect to. */
  allowedNetworks: z.array(z.string().max(60)).max(32),
  parts: z
    .array(
      z.strictObject({
        part: partKeyValue,
        /** `file` means that the device's own file decides, and the console's choice is ignored. */
        setBy: z.enum(['file', 'console']),
        drivers: z.array(driverName).max(4),
        /** The reason why the console's choice is not used; shown to operators unchanged. */
        refusal: z.string().max(500).nullable(),
      }),
    )
    .max(40),
})
export type DriverReport = z.output<typeof driverReport>
