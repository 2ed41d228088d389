import { z } from 'zod'
import { LARGEST_PROGRAM_BYTES, SHA256_PATTERN, SIGNATURE_PATTERN } from '#domain/releases/header.ts'
import { RELEASE_KEY_PATTERN } from '#domain/releases/verifyRelease.ts'
import { VERSION_PATTERN } from '#domain/releases/version.ts'

export const clientVersionValue = z.string().regex(VERSION_PATTERN)
export const sha256Value = z.string().regex(SHA256_PATTERN)
/** Base64 of the 32 bytes of an Ed25519 public key. */
export const releaseKeyValue = z.string().regex(RELEASE_KEY_PATTERN)

/**
 * In the settings document: which client the device is to run. `bytes`, `sha256` and `signature` are those of
 * the first line of the release file. An id is done or failed for good: to try again takes a new one.
 */
export const assignedRelease = z.object({
  updateId: z.guid().toLowerCase(),
  version: clientVersionValue,
  bytes: z.int().min(1).max(LARGEST_PROGRAM_BYTES),
  sha256: sha256Value,
  signature: z.string().regex(SIGNATURE_PATTERN),
  /**
   * Present when the release was signed as a target for going back (domain/releases, `signedBackText`). Without it a device
   * goes back only to a version that it has run.
   */
  backSignature: z.string().regex(SIGNATURE_PATTERN).optional(),
})
export type AssignedRelease = z.output<typeof assignedRelease>

/** `done` and `failed` are the end. */
export const CLIENT_STEPS = ['downloading', 'verifying', 'restarting', 'done', 'failed'] as const
export type ClientStep = (typeof CLIENT_STEPS)[number]

/** Id under which the device tells how an update goes: topic `replies/client-{updateId}`. */
export const clientProgressId = (updateId: string) => `client-${updateId}`

/** How an update goes; the newest of each update is kept on the device until the PUBACK. */
export const clientProgress = z.strictObject({
  updateId: z.guid().toLowerCase(),
  step: z.enum(CLIENT_STEPS),
  /** What the device runs while it says so. */
  version: clientVersionValue,
  /** How much of the program is on the device, at most its `bytes`; null where that is no question any more. */
  receivedBytes: z.int().min(0).max(LARGEST_PROGRAM_BYTES).nullable(),
  /** Of `failed`, in whole words: shown to operators as it is. Null otherwise. */
  reason: z.string().min(1).max(2000).nullable(),
})
export type ClientProgress = z.output<typeof clientProgress>

/**
 * Below `httpUrl`: the whole release file, first line included. `Authorization: Basic` with guid and key of the device;
 * `Range: bytes=N-` is answered with 206, or 416 when there is nothing from N on; the ETag is the SHA-256 in quotes.
 * Never a redirect.
 */
export const releasePath = (sha256: string) => `/device-api/releases/${sha256}`
