import { z } from 'zod'
import { clientVersionValue } from './client.ts'

/** A part of a device as configuration names it: `ups`, `display/2` (domain/drivers/partKey.ts). */
export const partKeyValue = z.string().regex(/^[a-z-]{1,20}(\/[2-9])?$/)
const driverName = z.string().regex(/^[a-z0-9-]{1,40}$/)
export const optionName = z.string().regex(/^[A-Za-z0-9]{1,40}$/)
export const optionValue = z.union([z.string().max(200), z.number(), z.boolean()])
/** Of one driver, by the names of its options. */
export const driverOptions = z.record(optionName, optionValue)

/** In the settings document: which driver the console chose for a part, with its secrets. */
export const desiredDriver = z.object({ part: partKeyValue, driver: driverName, options: driverOptions })
export type DesiredDriver = z.output<typeof desiredDriver>

/** Topic `replies/drivers`: after each settings document, and at each connect once the server has named drivers. */
export const DRIVERS_REPLY_ID = 'drivers'

/** What a device says of its drivers; never an option of them. */
export const driversTold = z.strictObject({
  /** Of the client that says so. */
  clientVersion: clientVersionValue,
  /** Drivers that its client has and the console may choose. */
  known: z.array(driverName).max(100),
  /** Of its own file: where the console may have it connect to. */
  allowedNetworks: z.array(z.string().max(60)).max(32),
  parts: z
    .array(
      z.strictObject({
        part: partKeyValue,
        /** `file`: its own file decides, and what the console chose does not hold. */
        setBy: z.enum(['file', 'console']),
        drivers: z.array(driverName).max(4),
        /** Why what the console chose is not used; shown to operators as it is. */
        refusal: z.string().max(500).nullable(),
      }),
    )
    .max(40),
})
export type DriversTold = z.output<typeof driversTold>
