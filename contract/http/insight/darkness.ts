import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { deviceIdValue, momentValue } from '#contract/call/values.ts'
import { ACTION_KINDS } from '#domain/darkness/actions.ts'
import { FINDINGS, LINK_KINDS, LINK_STATES, VERDICT_KINDS } from '#domain/darkness/links.ts'

/** What a link was judged by: a reading, or words of the device. */
const evidence = z.object({
  label: z.string(),
  /** As a tile writes it. */
  text: z.string(),
  /** Device time of a reading; null when it was never reported, or is none. */
  at: momentValue.nullable(),
  /** Older than the offline limit: shown, and nothing follows from it. */
  isStale: z.boolean(),
})

const link = z.object({
  kind: z.enum(LINK_KINDS),
  name: z.string(),
  state: z.enum(LINK_STATES),
  finding: z.enum(FINDINGS).nullable(),
  sentence: z.string(),
  evidence: z.array(evidence),
})
export type DarknessLink = z.output<typeof link>

const verdict = z.object({
  kind: z.enum(VERDICT_KINDS),
  finding: z.enum(FINDINGS),
  /** Where the walk ended; null when it came through. */
  link: z.enum(LINK_KINDS).nullable(),
  sentence: z.string(),
  /**
   * The one thing that could help; `section` is the section of the Setup tab, null where somebody has to go there, and
   * `control` the very control there, null where it is the section as a whole.
   */
  action: z
    .object({
      kind: z.enum(ACTION_KINDS),
      words: z.string(),
      section: z.string().nullable(),
      control: z.string().nullable(),
    })
    .nullable(),
})

const walk = z.object({ displayNumber: z.int(), displayName: z.string(), verdict, links: z.array(link) })
export type DarknessWalk = z.output<typeof walk>

export const getDarkness = call({
  method: 'GET',
  path: 'Device/GetDarkness',
  summary: 'Why each display of a device is dark: the chain from the mains to the content, with evidence.',
  permission: 'seeDevices',
  shows: ['Device', 'Device component', 'Holiday calendar', 'Maintenance'],
  query: z.strictObject({ deviceId: deviceIdValue }),
  body: nothing,
  /** One walk for each display, by number; judged at `at`. */
  answer: z.object({ at: momentValue, walks: z.array(walk) }),
  errors: ['not_found'],
})
export type Darkness = z.output<typeof getDarkness.answer>
