import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, momentValue } from '#contract/call/values.ts'
import { ACTION_KINDS } from '#domain/darkness/actions.ts'
import { FINDINGS, LINK_KINDS, LINK_STATES, VERDICT_KINDS } from '#domain/darkness/links.ts'

/** A link was judged by this evidence: a reading, or words of the device. */
const evidence = z.object({
  label: z.string(),
  /** The value as a tile writes it. */
  text: z.string(),
  /** The device time of a reading; null when it was never reported, or is no reading. */
  at: momentValue.nullable(),
  /** The reading is older than the offline limit, so it is shown but nothing follows from it. */
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
  /** The link at which the walk ended; null when it came through. */
  link: z.enum(LINK_KINDS).nullable(),
  sentence: z.string(),
  /**
   * The one action that could help; `section` is the section of the Setup tab, null when somebody has to travel there,
   * and `control` the control within it, null when it is the section as a whole.
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
  /** One walk for each display, by number, judged at `at`. */
  answer: z.object({ at: momentValue, walks: z.array(walk) }),
  errors: ['not_found'],
})
export type Darkness = z.output<typeof getDarkness.answer>
