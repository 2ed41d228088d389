import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { momentValue, textValue } from '#contract/call/values.ts'
import { LARGEST_PROGRAM_BYTES } from '#domain/releases/header.ts'

/** The bytes of a whole file, with room for its first line. */
export const LARGEST_RELEASE_BYTES = LARGEST_PROGRAM_BYTES + 1024
export const LONGEST_FILE_NAME = 200
const LARGEST_BASE64 = Math.ceil(LARGEST_RELEASE_BYTES / 3) * 4
/** This pattern is one loop; the library's pattern repeats a group and runs out of stack with a few megabytes. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

export const release = z.object({
  id: z.int32().positive(),
  /** Three numbers with dots. */
  version: z.string(),
  /** The bytes of the program, without the first line of the file, which describes it. */
  bytes: z.number().int(),
  /** The hash of the program, in hex. */
  sha256: z.string(),
  uploadedAt: momentValue,
  /** The username, or empty when the file was found in the folder. */
  uploadedBy: z.string(),
  /** The newest release is the default target of an update. */
  isNewest: z.boolean(),
  deviceCount: z.number().int(),
  /** The number of devices that still have to be updated to it; while there are any, it cannot be removed. */
  openUpdateCount: z.number().int(),
})
export type Release = z.output<typeof release>

export const releaseList = z.object({
  /** Sorted by version, the newest first. */
  rows: z.array(release),
  /** The refused files of the folder, with the reason; empty when each of them is a release. */
  refusedFiles: z.array(z.object({ fileName: z.string(), reason: z.string(), refusedAt: momentValue })),
  /** The number of public keys by which the server verifies releases; if there are none, every file is refused. */
  keyCount: z.number().int(),
  folder: z.string(),
  /** The number of devices by the version that they last reported, most first; null for no report. */
  versions: z.array(z.object({ version: z.string().nullable(), deviceCount: z.number().int() })),
})
export type ReleaseList = z.output<typeof releaseList>

export const listReleases = call({
  method: 'GET',
  path: 'Release/GetReleaseList',
  summary: 'Releases of the program of the devices, newest first, and which versions devices run.',
  permission: 'staffAdmin',
  shows: ['Release', 'Client update'],
  answer: releaseList,
})

export const uploadRelease = call({
  method: 'POST',
  path: 'Release/UploadRelease',
  summary:
    'Add a release. A file that is damaged, unsigned, signed by another key, or not newer than the newest is refused with the reason.',
  permission: 'staffAdmin',
  body: z.strictObject({
    /** The name, never a path, is used only in the audit log. */
    fileName: textValue(LONGEST_FILE_NAME),
    contentBase64: z
      .string()
      .min(1)
      .max(LARGEST_BASE64)
      .refine((text) => text.length % 4 === 0 && BASE64.test(text), 'must be base64'),
  }),
  answer: release,
  errors: ['release_refused'],
  changes: { action: 'Create', entity: 'Release' },
  largestBodyBytes: LARGEST_BASE64 + 1024,
  stepUp: 'always',
})

export const deleteRelease = call({
  method: 'GET',
  path: 'Release/DelRelease',
  summary: 'Remove a release that no update uses.',
  permission: 'staffAdmin',
  query: z.strictObject({ id: z.int32().positive() }),
  answer: z.literal(true),
  errors: ['not_found', 'release_in_use'],
  changes: { action: 'Delete', entity: 'Release' },
  stepUp: 'always',
})
