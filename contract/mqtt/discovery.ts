import { z } from 'zod'
import { clientVersionValue } from './client.ts'
import { driverName, driverOptions, partKeyValue } from './drivers.ts'

/** Topic `replies/discovery`: at each connect, while the device keeps what its assistant has found. */
export const DISCOVERY_REPLY_ID = 'discovery'

export const MOST_FOUND_PARTS = 40
export const MOST_SEEN_PORTS = 64
export const LONGEST_FOUND_TEXT = 500
export const SEEN_KINDS = ['serial', 'i2c', 'usb'] as const

/** What `agent --discover` has found on a device: a draft, of which nothing is used until somebody accepts it. */
export const discoveryReport = z.strictObject({
  clientVersion: clientVersionValue,
  parts: z
    .array(
      z.strictObject({
        part: partKeyValue,
        driver: driverName,
        /** Null for what only the device's own file may name: a path, a bus or a program. */
        options: driverOptions.nullable(),
        /** What the instrument has answered, as the driver's test says it. */
        words: z.string().max(LONGEST_FOUND_TEXT),
      }),
    )
    .max(MOST_FOUND_PARTS),
  /** Ports and devices of the computer, of which it is not known what is connected to them. */
  seen: z.array(z.strictObject({ kind: z.enum(SEEN_KINDS), name: z.string().max(200) })).max(MOST_SEEN_PORTS),
})
export type DiscoveryReport = z.output<typeof discoveryReport>
