import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import {
  customerIdValue,
  deviceGuidValue,
  deviceIdValue,
  deviceModelIdValue,
  lineValue,
  momentValue,
  nameValue,
  SECRETS,
} from '#contract/call/values.ts'
import { device, deviceConfiguration } from './devices.ts'

export const MOST_ACCEPTED = 500
export const MOST_DEVICES_OF_KEY = 10_000
export const LONGEST_KEY_DAYS = 730
export const CLAIM_KEY_PREFIX = 'wck_'

/** The device makes it: 32 random bytes, base64url. It becomes its key, of which the server keeps only the hash. */
const ownKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/)
  .register(SECRETS)

/** What people type: capitals or small letters, with or without a hyphen. */
const codeValue = z.string().regex(/^[A-Za-z0-9 -]{1,20}$/)

/** The device says this of itself; nobody has checked it. */
const claimFacts = z.strictObject({
  /** The model of the computer, as its board says it. */
  model: lineValue(120).default(''),
  hostName: lineValue(120).default(''),
  clientVersion: lineValue(40).default(''),
  serialNumbers: z.array(lineValue(80)).max(4).default([]),
  macAddresses: z
    .array(z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/))
    .max(8)
    .default([]),
})
export type ClaimFacts = z.output<typeof claimFacts>

/** What a device that has no configuration is told. */
const claimState = z.discriminatedUnion('state', [
  /** Nothing is known of it, so it has to begin. */
  z.object({ state: z.literal('unknown') }),
  z.object({
    state: z.literal('code'),
    code: z.string(),
    /** The page where the code is typed, with the code in it. */
    address: z.string(),
    secondsLeft: z.int(),
  }),
  z.object({ state: z.literal('waiting') }),
  z.object({ state: z.literal('refused') }),
  z.object({
    state: z.literal('claimed'),
    customerName: z.string(),
    /** All but the key, which the device has. */
    configuration: deviceConfiguration.omit({ key: true }),
  }),
])
export type ClaimState = z.output<typeof claimState>

export const beginClaim = call({
  method: 'POST',
  path: 'Claim/Begin',
  summary:
    'A device without a configuration asks to be claimed: it gets a code to show, or waits to be accepted when it has a claim key.',
  permission: 'public',
  body: z.strictObject({
    key: ownKey,
    claimKey: z
      .string()
      .regex(/^wck_[A-Za-z0-9_-]{43}$/)
      .register(SECRETS)
      .optional(),
    facts: claimFacts,
  }),
  answer: claimState,
  errors: ['claim_key_not_valid', 'too_many_requests'],
  changes: { action: 'Create', entity: 'Claim' },
})

export const getClaimState = call({
  method: 'POST',
  path: 'Claim/GetState',
  summary: 'What became of the claim of the device with this key; a code that expired is replaced.',
  permission: 'public',
  body: z.strictObject({ key: ownKey }),
  answer: claimState,
  errors: ['too_many_requests'],
  shows: [],
})

const seen = { facts: claimFacts, address: z.string(), askedAt: momentValue, seenAt: momentValue }

const knownDevice = z.object({
  id: deviceIdValue,
  guid: deviceGuidValue,
  name: z.string(),
  customerName: z.string(),
})

export const findClaim = call({
  method: 'POST',
  path: 'Claim/FindDevice',
  summary:
    'What the device says that shows this code. A wrong, an expired and a used code get the same answer; staff are told who has a device.',
  permission: 'createDevice',
  body: z.strictObject({ code: codeValue }),
  answer: z.object({
    ...seen,
    /** A device whose hardware or serial number is the same; staff only. */
    knownAs: knownDevice.nullable(),
  }),
  errors: ['claim_not_valid', 'claim_taken', 'too_many_requests'],
  changes: { action: 'Update', entity: 'Claim' },
})
export type FoundClaim = z.output<typeof findClaim.answer>

export const claimDevice = call({
  method: 'POST',
  path: 'Claim/ClaimDevice',
  summary: 'Make a device of the one that shows this code. It connects by itself, with the key that it has made.',
  permission: 'createDevice',
  body: z.strictObject({
    code: codeValue,
    customerId: customerIdValue.optional(),
    modelId: deviceModelIdValue,
    name: nameValue(200),
    address: lineValue(500).default(''),
    latitude: z.number().min(-90).max(90).nullable().default(null),
    longitude: z.number().min(-180).max(180).nullable().default(null),
  }),
  answer: device,
  errors: ['claim_not_valid', 'claim_taken', 'customer_deactivated', 'not_found', 'too_many_requests'],
  changes: { action: 'Create', entity: 'Device' },
})

export const giveRecord = call({
  method: 'POST',
  path: 'Claim/GiveRecord',
  summary:
    'Give the record of a device to the box that shows this code and says that it is the same hardware. Its key becomes that of the device; the one before ends when the new one is first used.',
  permission: 'staffAdmin',
  body: z.strictObject({ code: codeValue, deviceId: deviceIdValue }),
  answer: knownDevice,
  errors: ['claim_not_valid', 'claim_taken', 'not_found', 'too_many_requests'],
  changes: { action: 'Update', entity: 'Device' },
  stepUp: 'always',
})

const claimId = z.int32().positive()

export const listWaitingDevices = call({
  method: 'GET',
  path: 'Claim/GetWaitingList',
  summary: 'Devices that came by a claim key and wait to be accepted, the first come first; at most 1,000.',
  permission: 'admin',
  shows: ['Claim'],
  answer: z.array(
    z.object({
      id: claimId,
      ...seen,
      keyName: z.string(),
      customerId: customerIdValue.nullable(),
      customerName: z.string(),
      /** A device whose hardware or serial number is the same; staff only. */
      knownAs: knownDevice.nullable(),
    }),
  ),
})
export type WaitingDevice = z.output<typeof listWaitingDevices.answer>[number]

export const acceptDevices = call({
  method: 'POST',
  path: 'Claim/AcceptDevices',
  summary: 'Accept devices that wait, all or none. The name takes {n}, {nn}, {nnn} for a number, {serial} and {mac}.',
  permission: 'admin',
  body: z.strictObject({
    ids: z.array(claimId).min(1).max(MOST_ACCEPTED),
    customerId: customerIdValue.optional(),
    modelId: deviceModelIdValue,
    namePattern: nameValue(200),
    firstNumber: z.int32().min(0).max(1_000_000).default(1),
  }),
  answer: z.object({ names: z.array(z.string()) }),
  errors: ['customer_deactivated', 'not_found'],
  changes: { action: 'Create', entity: 'Device' },
})

export const acceptAsDevices = call({
  method: 'POST',
  path: 'Claim/AcceptAsDevices',
  summary:
    'Let devices that wait go on as the devices that they look like, all or none. Their keys become those of the devices; the ones before end when the new ones are first used.',
  permission: 'staffAdmin',
  body: z.strictObject({
    records: z
      .array(z.strictObject({ id: claimId, deviceId: deviceIdValue }))
      .min(1)
      .max(MOST_ACCEPTED),
  }),
  answer: z.object({ names: z.array(z.string()) }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Device' },
  stepUp: 'always',
})

export const refuseDevices = call({
  method: 'POST',
  path: 'Claim/RefuseDevices',
  summary: 'Refuse devices that wait.',
  permission: 'admin',
  body: z.strictObject({ ids: z.array(claimId).min(1).max(MOST_ACCEPTED) }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Claim' },
})

const claimKey = z.object({
  id: z.int32().positive(),
  name: z.string(),
  /** The first letters of the key; the rest was shown once. */
  beginning: z.string(),
  customerId: customerIdValue.nullable(),
  customerName: z.string(),
  mostDevices: z.int(),
  usedBy: z.int(),
  expires: momentValue,
  state: z.enum(['usable', 'expired', 'full']),
})
export type ClaimKey = z.output<typeof claimKey>

export const listClaimKeys = call({
  method: 'GET',
  path: 'Claim/GetKeyList',
  summary: 'Claim keys that were not ended, the newest first.',
  permission: 'admin',
  shows: ['Claim'],
  answer: z.array(claimKey),
})

export const createClaimKey = call({
  method: 'POST',
  path: 'Claim/CreateKey',
  summary: 'Make a key for a disk image: devices with it wait to be accepted. It is shown once.',
  permission: 'admin',
  body: z.strictObject({
    name: nameValue(60),
    /** Who may accept its devices; null for staff. */
    customerId: customerIdValue.nullable().default(null),
    mostDevices: z.int32().min(1).max(MOST_DEVICES_OF_KEY),
    expiresInDays: z.int32().min(1).max(LONGEST_KEY_DAYS),
  }),
  answer: z.object({ id: z.int32().positive(), key: z.string() }),
  errors: ['not_found'],
  changes: { action: 'Create', entity: 'Claim' },
  stepUp: 'always',
})

export const endClaimKey = call({
  method: 'POST',
  path: 'Claim/EndKey',
  summary: 'End a claim key. No device enters with it any more; those that wait stay.',
  permission: 'admin',
  body: z.strictObject({ id: z.int32().positive() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Claim' },
})
