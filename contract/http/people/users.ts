import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { USER_SORT_COLUMNS } from '#contract/call/listOptions.ts'
import {
  customerFilterValue,
  customerIdValue,
  deviceIdValue,
  lineValue,
  momentValue,
  roleIdValue,
  textRule,
  textValue,
  trimmedValue,
  userIdValue,
} from '#contract/call/values.ts'
import { EMAIL_ADDRESS } from '#domain/validation/emailAddress.ts'

export const LONGEST_PERSON_NAME = 100
export const LONGEST_ADDRESS = 254

/** A user, with the names of role and customer. Authors outside the caller's scope are null. */
export const appUser = z.object({
  id: userIdValue,
  accountId: z.number().int(),
  /** The sign-in name: an e-mail address, unique regardless of case. */
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** Notifications go to this address; it may be empty. */
  email: z.string(),
  roleId: roleIdValue,
  customerId: customerIdValue.nullable(),
  /** Says only whether there is a password. */
  password: z.enum(['pending', 'set']),
  /** The role determines it. */
  isAdmin: z.boolean(),
  isLab: z.boolean(),
  isDisabled: z.boolean(),
  created: momentValue,
  createdBy: userIdValue.nullable(),
  updated: momentValue.nullable(),
  updatedBy: userIdValue.nullable(),
  deleted: momentValue.nullable(),
  deletedBy: userIdValue.nullable(),
  roleName: z.string(),
  customerName: z.string(),
})
export type AppUser = z.output<typeof appUser>

/** Callers who do not manage users read only this of others. */
export const appUserName = z.strictObject({ id: userIdValue, username: z.string() })

const listedUser = z.union([appUser, appUserName])
export type ListedUser = z.output<typeof listedUser>

export const userListQuery = z.strictObject({
  /** Matches text within the username or the address for notifications, ignoring case. */
  email: textValue(200).optional(),
  customerId: customerFilterValue.optional(),
  /** Selects users who may own the alerts of this device. */
  deviceId: deviceIdValue.optional(),
  sort: z.enum(USER_SORT_COLUMNS).optional(),
  descending: z.boolean().optional(),
  rowNum: z.int32().min(1).optional(),
  pageSize: z.int32().min(1).max(500).optional(),
  limit: z.int32().min(1).max(500).optional(),
  next: textValue(4000).optional(),
})

export const listUsers = call({
  method: 'GET',
  path: 'AppUser/GetAppUserList',
  summary:
    'Users the caller may see: a plain list, or a page when rows were asked for. Who is no admin reads id and username only.',
  permission: 'deviceManager',
  shows: ['User', 'Role', 'Customer'],
  query: userListQuery,
  answer: z.union([
    z.array(listedUser),
    z.object({
      rows: z.array(listedUser),
      /** The total is exact up to 10,000, and null beyond. */
      total: z.number().int().nullable(),
      next: z.string().nullable(),
    }),
  ]),
  errors: ['not_found', 'page_too_deep'],
})

export const getUser = call({
  method: 'GET',
  path: 'AppUser/GetAppUser',
  summary: 'One user.',
  permission: 'admin',
  shows: ['User', 'Role', 'Customer'],
  query: z.strictObject({ id: userIdValue }),
  answer: appUser,
  errors: ['not_found'],
})

export const usernameValue = trimmedValue(LONGEST_ADDRESS)
  .min(1)
  .pipe(z.email({ pattern: EMAIL_ADDRESS }))

/** Notifications go to this e-mail address; it may be empty. */
export const emailValue = trimmedValue(LONGEST_ADDRESS).check(textRule('email'))

/** These fields of a record that is sent back are ignored. */
const ignored = z.unknown().optional()

export const setUser = call({
  method: 'POST',
  path: 'AppUser/SetAppUser',
  summary: 'Add a user (id absent, 0 or negative) or change one; absent fields stay as they are. Answers the id.',
  permission: 'admin',
  body: z.strictObject({
    id: z.int32().default(0),
    /** Required for a new user, and never changed afterwards. */
    username: usernameValue.optional(),
    firstName: lineValue(LONGEST_PERSON_NAME).optional(),
    lastName: lineValue(LONGEST_PERSON_NAME).optional(),
    /** If empty or absent for a new user, the username is taken. */
    email: emailValue.optional(),
    /** Required for a new user. */
    roleId: roleIdValue.optional(),
    customerId: customerIdValue
      .nullable()
      .optional()
      .describe("Staff only; a customer's admin manages that customer's users, and finds no other customer."),
    isLab: z.boolean().optional().describe('Staff admins only, and not of a new user.'),
    /** Not allowed for a new user. */
    isDisabled: z.boolean().optional(),
    accountId: ignored,
    password: ignored,
    isAdmin: ignored,
    created: ignored,
    createdBy: ignored,
    updated: ignored,
    updatedBy: ignored,
    deleted: ignored,
    deletedBy: ignored,
    roleName: ignored,
    customerName: ignored,
  }),
  /** The id, which is positive (rules/calls 7). */
  answer: z.number().int(),
  errors: ['not_found', 'username_taken', 'last_admin', 'customer_deactivated'],
  changes: { action: 'Update', entity: 'User' },
  stepUp: 'always',
})

export const deleteUser = call({
  method: 'GET',
  path: 'AppUser/DelAppUser',
  summary: 'Delete a user; their sessions end at once.',
  permission: 'admin',
  query: z.strictObject({ id: userIdValue }),
  answer: z.literal(true),
  errors: ['not_found', 'last_admin'],
  changes: { action: 'Delete', entity: 'User' },
  stepUp: 'always',
})

/** This is an older name of the same call (rules/calls 1). */
export const deleteUserByRolePath = call({ ...deleteUser, path: 'AppRole/DelAppUser' })
