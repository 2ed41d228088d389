import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerIdValue, nameValue, tagOrNoneValue, trimmedValue } from '#contract/call/values.ts'
import { LONGEST_SLUG, PAGE_MODES } from '#domain/statusPages/pageRules.ts'

export const LONGEST_PAGE_TITLE = 100
export const LONGEST_PAGE_NOTE = 1000
const LONGEST_PREFIX = 40

export const statusPage = z.object({
  customerId: customerIdValue,
  customerName: z.string(),
  /** `public` pages have a readable address, `secret` ones an address that nobody can guess. */
  mode: z.enum(PAGE_MODES),
  /** The whole address, for those who may edit the page; empty while it is off. */
  address: z.string(),
  slug: z.string(),
  title: z.string(),
  note: z.string(),
  /** Limits the page to devices with this tag; empty means all. */
  tag: z.string(),
  /** A device's place is the rest of its first tag that begins like this; if empty, the page has no places. */
  placePrefix: z.string(),
  /** The page shows incidents of this severity or worse: 1 critical, 2 warning, 3 information; null shows none. */
  severityId: z.number().int().nullable(),
  showsPlanned: z.boolean(),
  takesSubscribers: z.boolean(),
  /** The number of Paired devices on it that have displays, or of which nothing is known yet. */
  deviceCount: z.number().int(),
  /** The number of people who have confirmed that they want mails. */
  subscriberCount: z.number().int(),
})
export type StatusPage = z.output<typeof statusPage>

export const listStatusPages = call({
  method: 'GET',
  path: 'StatusPage/GetStatusPageList',
  summary: 'The status page of each customer, also where it is off. Staff see all, a customer their own.',
  permission: 'admin',
  shows: ['Status page', 'Customer', 'Device'],
  answer: z.array(statusPage),
  givesSecret: true,
})

export const setStatusPage = call({
  method: 'POST',
  path: 'StatusPage/SetStatusPage',
  summary:
    'Set what the status page of a customer shows, and to whom; answers its address. A page that becomes secret gets a new address, and subscriptions of before end.',
  permission: 'admin',
  body: z.strictObject({
    customerId: customerIdValue,
    mode: z.enum(PAGE_MODES),
    /** A public page requires it. */
    slug: trimmedValue(LONGEST_SLUG).default(''),
    title: nameValue(LONGEST_PAGE_TITLE),
    note: trimmedValue(LONGEST_PAGE_NOTE).default(''),
    tag: tagOrNoneValue,
    placePrefix: trimmedValue(LONGEST_PREFIX).default(''),
    severityId: z.int32().min(1).max(3).nullable(),
    showsPlanned: z.boolean(),
    takesSubscribers: z.boolean(),
  }),
  answer: z.object({ address: z.string() }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Status page' },
  stepUp: 'always',
})

export const rotateStatusAddress = call({
  method: 'POST',
  path: 'StatusPage/RotateStatusAddress',
  summary:
    'Give a secret status page another address; the one before is as if it had never been, and subscriptions end.',
  permission: 'admin',
  body: z.strictObject({ customerId: customerIdValue }),
  answer: z.object({ address: z.string() }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Status page' },
})
