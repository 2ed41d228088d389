import { z } from 'zod'
import { customerIdValue, momentValue, roleIdValue, userIdValue } from '#contract/call/values.ts'

/** The user who signed in, with the rights that follow from the role (rules/calls 16). */
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
  /** The IANA zone in which the user wants to see times; empty means the zone of the browser. */
  timeZone: z.string(),
  /** The role requires a second factor from then on; absent when the user has one, or needs none. */
  factorDueAt: momentValue.optional(),
})
export type SignedInUser = z.output<typeof signedInUser>
