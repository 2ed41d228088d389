import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, textValue } from '#contract/call/values.ts'

/** `kind/number`, for a relay `relayPort/number/port`; `mains`, `ups`, `computer`, `player` have no number. */
const partKey = textValue(40)

const part = z.object({
  key: partKey,
  kind: z.enum([
    'mains',
    'ups',
    'upsGroup',
    'powerSwitch',
    'relayPort',
    'router',
    'networkSwitch',
    'computer',
    'player',
    'display',
    'camera',
  ]),
  number: z.int(),
  port: z.union([z.literal(1), z.literal(2)]).optional(),
  name: z.string(),
  /** Null for the mains. */
  fedBy: partKey.nullable(),
  /** The factory wiring of the model. */
  defaultFedBy: partKey.nullable(),
})

const chain = z.object({
  parts: z.array(part),
  uplink: z.array(partKey),
})
export type WireFeedChain = z.output<typeof chain>

export const getFeedChain = call({
  method: 'GET',
  path: 'Device/GetFeedChain',
  summary: 'What feeds what in a device, and what would as its model leaves the factory.',
  permission: 'seeDevices',
  shows: ['Device component', 'Device'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  answer: chain,
  errors: ['not_found'],
})

export const setFeedChain = call({
  method: 'POST',
  path: 'Device/SetFeedChain',
  summary: 'Say what feeds what where a device is wired differently from its model; what is not named is as the model.',
  permission: 'admin',
  body: z.strictObject({
    deviceId: deviceIdValue,
    feeds: z.record(partKey, partKey).refine((feeds) => Object.keys(feeds).length <= 100, 'are too many'),
  }),
  answer: chain,
  errors: ['not_found', 'invalid_feeds'],
  changes: { action: 'Update', entity: 'Device component' },
  stepUp: 'ofSeveral',
})
