import { z } from 'zod'
import { readPageKey } from '#server/http/reading/pages.ts'

/** The database cannot hold moments outside these bounds. */
const microseconds = z.number().int().min(-62_135_596_800_000_000).max(253_402_300_800_000_000)

/** The total is counted once, with the first page: counting for each page would cost more than the page. */
const total = z.number().int().min(0).nullable().optional()

const rawRowKey = z.strictObject({ atMicroseconds: microseconds, number: z.int32().min(0).max(1000), total })
const messageKey = z.strictObject({ atMicroseconds: microseconds, hash: z.string().regex(/^[0-9a-f]{64}$/), total })

/** The end of a page: device time and component number. */
export type RawRowKey = z.output<typeof rawRowKey>
/** The end of a page: device time and SHA-256 of the text. */
export type MessageKey = z.output<typeof messageKey>

/** @throws CallError `invalid_request` when the text is no such key */
export const readRawRowKey = (text: string): RawRowKey => readPageKey(text, rawRowKey)
/** @throws CallError `invalid_request` when the text is no such key */
export const readMessageKey = (text: string): MessageKey => readPageKey(text, messageKey)
