import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceGuidValue, deviceIdValue, instantValue, momentValue } from '#contract/call/values.ts'
import { CERTAINTIES, PLAY_EVIDENCE, PLAY_VERDICTS } from '#domain/proof/lightProof.ts'

/** 100,000 plays with long names; as JSON each line break takes another byte. */
const LONGEST_LIST = 15_000_000
const LIST_BYTES = 16 * 1024 * 1024

/** Why nothing can be said: there is no such device for the caller, no such display, or the play is not over. */
export const NOTHING_KNOWN_REASONS = ['noDevice', 'noDisplay', 'notOver'] as const

const seconds = z.int().min(0)
const provedPlay = z.object({
  /** The GUID of the device; as it was given where there is none. */
  device: z.string(),
  /** Absent where all displays of the device are meant. */
  display: z.int().optional(),
  from: momentValue,
  to: momentValue,
  play: z.string().optional(),
  verdict: z.enum(PLAY_VERDICTS),
  certainty: z.enum(CERTAINTIES),
  evidence: z.enum(PLAY_EVIDENCE),
  lit: seconds,
  dark: seconds,
  unknown: seconds,
  measured: seconds,
  reason: z.enum(NOTHING_KNOWN_REASONS).optional(),
})
export type ProvedRow = z.output<typeof provedPlay>

const answer = z.object({
  /** What is signed, in the form of RFC 8785. */
  proof: z.object({
    version: z.literal(1),
    /** The installation that says so. */
    issuer: z.string(),
    answeredAt: momentValue,
    /** The devices of these plays, as they are called now. */
    devices: z.array(z.object({ id: deviceIdValue, guid: deviceGuidValue, name: z.string() })),
    plays: z.array(provedPlay),
  }),
  signature: z.object({
    algorithm: z.literal('Ed25519'),
    keyId: z.string(),
    /** Base64. */
    value: z.string(),
  }),
})
export type SignedProof = z.output<typeof answer>

export const provePlay = call({
  method: 'GET',
  path: 'LightProof/GetProof',
  summary:
    'Whether a display was lit from one moment to another, by which evidence and how certain; signed. Without a display all of the device are meant.',
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({
    deviceId: deviceIdValue,
    display: z.int().min(1).max(99).optional(),
    from: instantValue,
    to: instantValue,
  }),
  answer,
  errors: ['not_found'],
})

export const provePlays = call({
  method: 'POST',
  path: 'LightProof/GetProofs',
  summary:
    'The same for up to 100,000 plays, as CSV whose first line names its columns: device (id or GUID), display, from, to or seconds, play.',
  permission: 'seeDevices',
  shows: ['Device'],
  body: z.strictObject({ plays: z.string().max(LONGEST_LIST) }),
  answer,
  largestBodyBytes: LIST_BYTES,
})

const proofKey = z.object({
  id: z.string(),
  /** PEM. */
  publicKey: z.string(),
  signsSince: momentValue,
  /** Null for the key that signs now. */
  signedUntil: momentValue.nullable(),
})
export type ProofKey = z.output<typeof proofKey>

export const listProofKeys = call({
  method: 'GET',
  path: 'LightProof/GetKeyList',
  summary: 'The public keys by which proofs of light are checked, the present one first. Open to everybody.',
  permission: 'public',
  shows: ['Light proof key'],
  answer: z.array(proofKey),
})

export const rotateProofKey = call({
  method: 'POST',
  path: 'LightProof/RotateKey',
  summary: 'Sign proofs of light by a new key from now on. What was signed before stays valid. Answers the new key.',
  permission: 'staffAdmin',
  answer: proofKey,
  changes: { action: 'Update', entity: 'Light proof key' },
  stepUp: 'always',
})
