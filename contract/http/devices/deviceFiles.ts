import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerFilterValue } from '#contract/call/values.ts'

const FILE_BYTES = 4 * 1024 * 1024
/** A file is read whole, and its texts are judged cell by cell. */
const fileValue = z.string().max(2 * 1024 * 1024)
export const MOST_SHOWN_PROBLEMS = 200

const counts = { added: z.int(), changed: z.int(), unchanged: z.int() }

const filePreview = z.object({
  ...counts,
  /** What each row does, in the order of the file. */
  rows: z.array(
    z.object({
      line: z.int(),
      kind: z.enum(['added', 'changed', 'unchanged']),
      name: z.string(),
      customerName: z.string(),
      /** The columns whose value changes. */
      changes: z.array(z.string()),
    }),
  ),
  /** With any of these nothing is taken; at most 200. */
  problems: z.array(z.object({ line: z.int(), column: z.string(), reason: z.string() })),
  problemCount: z.int(),
})
export type FilePreview = z.output<typeof filePreview>

export const previewDeviceFile = call({
  method: 'POST',
  path: 'Device/GetImportPreview',
  summary: 'What a CSV file of devices would add and change, and each cell that is wrong. Nothing is changed.',
  permission: 'admin',
  body: z.strictObject({ csv: fileValue }),
  answer: filePreview,
  shows: ['Device', 'Device component', 'Customer'],
  largestBodyBytes: FILE_BYTES,
})

export const importDevices = call({
  method: 'POST',
  path: 'Device/ImportDevices',
  summary:
    'Take a CSV file of devices, whole or not at all. A row is found by guid, else serial number, else name; others are added.',
  permission: 'admin',
  body: z.strictObject({ csv: fileValue }),
  answer: z.object(counts),
  errors: ['import_refused'],
  changes: { action: 'Update', entity: 'Device' },
  stepUp: 'always',
  largestBodyBytes: FILE_BYTES,
})

export const exportDeviceFile = call({
  method: 'GET',
  path: 'Device/GetDeviceFile',
  summary: 'All devices as the CSV file that Device/ImportDevices takes.',
  permission: 'admin',
  query: z.strictObject({ customerId: customerFilterValue.optional() }),
  answer: z.object({ csv: z.string() }),
  errors: ['not_found'],
  shows: ['Device', 'Device component', 'Customer'],
  stepUp: 'always',
})
