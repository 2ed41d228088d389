import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { countryIdValue, customerIdValue, momentValue, nameValue } from '#contract/call/values.ts'

export const LONGEST_CUSTOMER_NAME = 200
/** Reports may come this late, so nothing is deleted earlier. */
export const FEWEST_KEPT_DAYS = 90
export const MOST_KEPT_DAYS = 36_500

export const customerRecord = z.object({
  id: customerIdValue,
  name: z.string(),
  /** Null when it is unknown, so its devices keep no holidays and their time zone is assumed to be UTC. */
  countryId: countryIdValue.nullable(),
  countryName: z.string(),
  /** If true, its users may sign in, and devices may be added to it. */
  isActive: z.boolean(),
  /** What is older is deleted; null means as for all customers. */
  keptDays: z.number().int().nullable(),
  devices: z.number().int(),
  /** Disabled users are not counted. */
  activeUsers: z.number().int(),
  created: momentValue,
})
export type CustomerRecord = z.output<typeof customerRecord>

export const listCustomerRecords = call({
  method: 'GET',
  path: 'Customer/GetCustomerRecordList',
  summary: 'All customers with their country and how much they have. Staff admins only.',
  permission: 'staffAdmin',
  shows: ['Customer', 'Device', 'User'],
  answer: z.array(customerRecord),
})

export const setCustomer = call({
  method: 'POST',
  path: 'Customer/SetCustomer',
  summary:
    'Add a customer (id absent, 0 or negative) or change one; absent fields stay as they are. Staff admins only. Answers the id.',
  permission: 'staffAdmin',
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_CUSTOMER_NAME).optional(),
    countryId: countryIdValue.nullable().optional(),
    /** False ends the sessions of the customer's users; devices go on recording. */
    isActive: z.boolean().optional(),
    /** What its devices recorded is deleted after so many days; null keeps it as long as everybody's. */
    keptDays: z.int32().min(FEWEST_KEPT_DAYS).max(MOST_KEPT_DAYS).nullable().optional(),
    countryName: z.unknown().optional(),
    devices: z.unknown().optional(),
    activeUsers: z.unknown().optional(),
    created: z.unknown().optional(),
  }),
  answer: z.number().int(),
  errors: ['not_found', 'customer_name_taken'],
  changes: { action: 'Update', entity: 'Customer' },
  stepUp: 'always',
})
