import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { AnswerOf } from '#contract/call/call.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { type Darkness, getDarkness } from '#contract/http/insight/darkness.ts'
import type { CallOf } from './callOf.ts'

/** Each device is read by a call of its own, so their number is bounded. */
const MOST_DEVICES = 25
const TOGETHER = 4

const input = z.strictObject({
  customerId: z.int32().positive().optional(),
  /** At most 25 devices are read, those with the most alerts first. */
  limit: z.int32().min(1).max(MOST_DEVICES).optional(),
})

export const DARK_DISPLAYS: Tool = {
  name: 'dark_displays',
  title: 'Which displays are dark, and why',
  description:
    'Which displays are dark now and why: of each the verdict in a sentence, where light ends on its way, the readings by which that was judged, and the one thing that could help.',
  inputSchema: z.toJSONSchema(input, { io: 'input' }) as Tool['inputSchema'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

export const DARK_DISPLAYS_CALLS = [listDevices, getDarkness]

type Page = Extract<AnswerOf<typeof listDevices>, { readonly rows: unknown }>

/** @throws z.ZodError for invalid input */
export async function darkDisplays(given: unknown, call: CallOf): Promise<object> {
  const { limit = MOST_DEVICES, ...of } = input.parse(given)
  const query = { ...of, filter: 'dark', sort: 'alerts', descending: true, rowNum: 1, pageSize: limit }
  const page = (await call(listDevices, query)) as Page
  const devices: object[] = []
  for (let begin = 0; begin < page.rows.length; begin += TOGETHER) {
    const some = page.rows
      .slice(begin, begin + TOGETHER)
      .map(async ({ id, name, address, customerName, lightSince, lightIsAtLeast }) => {
        const { at, walks } = (await call(getDarkness, { deviceId: id })) as Darkness
        return {
          device: { id, name, address, customerName },
          darkSince: lightSince,
          // Nothing was known before this moment, so the display may have been dark longer.
          isDarkAtLeast: lightIsAtLeast,
          lookedAt: at,
          displays: walks.map(whyOf),
        }
      })
    devices.push(...(await Promise.all(some)))
  }
  return { total: page.total, shown: devices.length, devices }
}

/** Keeps the verdict's own words, and the links that were judged faulty. */
function whyOf({ displayNumber, displayName, verdict, links }: Darkness['walks'][number]) {
  const { kind, finding, sentence, action } = verdict
  const evidence = links
    .filter((link) => link.finding !== null || link.kind === verdict.link)
    .map(({ name, state, sentence: says, evidence: readings }) => ({ name, state, says, readings }))
  return {
    displayNumber,
    displayName,
    verdict: kind,
    finding,
    why: sentence,
    whatCouldHelp: action?.words ?? null,
    evidence,
  }
}
