import { z } from 'zod'
import { LARGEST_PROGRAM_BYTES, SHA256_PATTERN, SIGNATURE_PATTERN } from '#domain/releases/header.ts'
import { RELEASE_KEY_PATTERN } from '#domain/releases/verifyRelease.ts'
import { VERSION_PATTERN } from '#domain/releases/version.ts'

export const clientVersionValue = z.string().regex(VERSION_PATTERN)
export const sha256Value = z.string().regex(SHA256_PATTERN)
/** Base64 of the 32 bytes of an Ed25519 public key. */
export const releaseKeyValue = z.string().regex(RELEASE_KEY_PATTERN)

/**
 * The settings document names the client that the device shall run. `bytes`, `sha256` and `signature` are those of the
 * first line of the release file. An id that is done or failed stays so: another attempt needs a new one.
 */
export const assignedRelease = z.object({
  updateId: z.guid().toLowerCase(),
  version: clientVersionValue,
  bytes: z.int().min(1).max(LARGEST_PROGRAM_BYTES),
  sha256: sha256Value,
  signature: z.string().regex(SIGNATURE_PATTERN),
  /**
   * Present when the release was signed as a target for going back (domain/releases, `signedBackText`). Without it a
   * device goes back only to a version that it has run.
   */
  backSignature: z.string().regex(SIGNATURE_PATTERN).optional(),
})
export type AssignedRelease = z.output<typeof assignedRelease>

/** An update ends with `done` or `failed`. */
export const CLIENT_STEPS = ['downloading', 'verifying', 'restarting', 'done', 'failed'] as const
export type ClientStep = (typeof CLIENT_STEPS)[number]

/** The device reports the progress of an update under this id: topic `replies/client-{updateId}`. */
export const clientProgressId = (updateId: string) => `client-${updateId}`

/** The progress of an update; the device keeps the newest of each update until the PUBACK. */
export const clientProgress = z.strictObject({
  updateId: z.guid().toLowerCase(),
  step: z.enum(CLIENT_STEPS),
  /** The version that the device runs at this moment. */
  version: clientVersionValue,
  /** The bytes of the program on the device, at most its `bytes`; null when that no longer matters. */
  receivedBytes: z.int().min(0).max(LARGEST_PROGRAM_BYTES).nullable(),
  /** The reason for `failed`, shown to operators unchanged. Null otherwise. */
  reason: z.string().min(1).max(2000).nullable(),
})
export type ClientProgress = z.output<typeof clientProgress>

/**
 * The path of the whole release file below `httpUrl`, first line included. `Authorization: Basic` carries guid and key
 * of the device; `Range: bytes=N-` is answered with 206, or 416 when there is nothing from N on; the ETag is the
 * SHA-256 in quotes. It never redirects.
 */
export const releasePath = (sha256: string) => `/device-api/releases/${sha256}`
