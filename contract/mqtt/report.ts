import { z } from 'zod'
import { momentFault, readRfc3339 } from '#domain/units/rfc3339.ts'

/** The payload limit of any packet from a device; a larger one is acknowledged, rejected and counted. */
export const MAXIMUM_PAYLOAD_BYTES = 64 * 1024
export const MAXIMUM_FIELDS = 200
export const MAXIMUM_REPORTS = 1000

/** A moment by the clock of a device, as RFC 3339 writes it: with Z or any offset. */
const deviceTime = z
  .string({ error: ({ input }) => momentFault(input) })
  .refine((text) => !Number.isNaN(readRfc3339(text)), { error: ({ input }) => momentFault(input) })

/**
 * One report: `at` is device time, and one component of a device never uses it twice. Names of values are wire names
 * without the prefix of the component; null means that the device does not know it and is left out.
 */
export const report = z.strictObject({
  at: deviceTime,
  values: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])),
})
export type Report = z.output<typeof report>

/** Topic `events/{type}[/{number}]`: one report, or stored ones, oldest first. */
export const reportPayload = z.union([report, z.array(report).max(MAXIMUM_REPORTS)])

/** Topic `messages`. */
export const deviceMessage = z.strictObject({ at: deviceTime, msg: z.string().max(8192) })

/** Topic `time`. */
export const serverTime = z.object({ now: z.iso.datetime({ offset: false }) })
