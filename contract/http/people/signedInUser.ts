import { z } from 'zod'
import { customerIdValue, momentValue, roleIdValue, userIdValue } from '#contract/call/values.ts'

/** The user who signed in, with the rights that follow from the role spelled out (rules/calls 16). */
export const signedInUser = z.object({
  id: userIdValue,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  roleId: roleIdValue,
  roleName: z.string(),
  roleFunctions: z.array(z.number().int()),
  /** Present for customer users only. */
  customerId: customerIdValue.optional(),
  accountId: z.number().int(),
  isAdmin: z.boolean(),
  isDeviceManager: z.boolean(),
  isAnalyticsUser: z.boolean(),
  isLab: z.boolean(),
  isInternal: z.boolean(),
  /** IANA name of the zone in which the user wants to see times; empty: that of the browser. */
  timeZone: z.string(),
  /** From then on their role lets them in with a second factor alone; absent where they have one, or need none. */
  factorDueAt: momentValue.optional(),
})
export type SignedInUser = z.output<typeof signedInUser>
