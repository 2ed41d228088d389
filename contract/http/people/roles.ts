import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { momentValue, namedValue, nameValue, roleIdValue, userIdValue } from '#contract/call/values.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'

export const LONGEST_ROLE_NAME = 100
export const LONGEST_FACTOR_GRACE_DAYS = 90

/** A function of a role, with the date and author of its assignment (rules/people 9). */
const roleFunction = z.object({
  accountId: z.number().int(),
  created: momentValue,
  createdBy: userIdValue.nullable(),
  functionId: z.number().int(),
  functionName: z.string(),
  roleId: roleIdValue,
  roleName: z.string(),
})

export const appRole = z.object({
  id: roleIdValue,
  name: z.string(),
  accountId: z.number().int(),
  created: momentValue,
  deleted: momentValue.nullable(),
  functions: z.string(),
  /** Whether assistants may use API tokens of users with this role. */
  allowsAssistants: z.boolean(),
  /** Users within the caller's scope, without disabled ones. */
  activeUsers: z.number().int(),
  /** If true, users with this role can sign in only with browsers that keep the session cookie. */
  requiresBoundSession: z.boolean(),
  /** Users get in without a second factor for this many days; null when they need none. */
  factorGraceDays: z.number().int().nullable(),
  /** Present only with `getFullData`. */
  roleFunctions: z.array(roleFunction),
})
export type AppRole = z.output<typeof appRole>

export const listRoles = call({
  method: 'GET',
  path: 'AppRole/GetAppRoleList',
  summary: 'Roles by name; those that the caller may hand out.',
  permission: 'admin',
  shows: ['Role', 'User'],
  answer: z.array(appRole),
})

export const listFunctions = call({
  method: 'GET',
  path: 'AppRole/GetAppFunctionList',
  summary: 'What roles are made of.',
  permission: 'admin',
  shows: [],
  answer: z.array(namedValue),
})

export const getRole = call({
  method: 'GET',
  path: 'AppRole/GetAppRole',
  summary: 'One role, with `getFullData` also its functions.',
  permission: 'admin',
  shows: ['Role'],
  query: z.strictObject({ id: roleIdValue, getFullData: z.boolean().optional() }),
  answer: appRole,
  errors: ['not_found'],
})

/** These fields of a record that is sent back are ignored. */
const ignored = z.unknown().optional()

export const setRole = call({
  method: 'POST',
  path: 'AppRole/SetAppRole',
  summary:
    'Add a role (id absent, 0 or negative) or change one, for everybody who has it. Staff admins only. Answers the id.',
  permission: 'staffAdmin',
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_ROLE_NAME),
    /** All functions of the role; without it, they stay. */
    roleFunctions: z
      .array(
        z.strictObject({
          functionId: z.literal(FUNCTIONS.map(({ id }) => id)),
          accountId: ignored,
          created: ignored,
          createdBy: ignored,
          functionName: ignored,
          roleId: ignored,
          roleName: ignored,
        }),
      )
      .max(FUNCTIONS.length)
      .optional(),
    /** The role keeps its value without this; a new role has false. */
    requiresBoundSession: z.boolean().optional(),
    /** The role keeps its value without this; a new role has false. */
    allowsAssistants: z.boolean().optional(),
    /** Null means that nobody needs a second factor; without it, it stays. */
    factorGraceDays: z.int32().min(0).max(LONGEST_FACTOR_GRACE_DAYS).nullable().optional(),
    accountId: ignored,
    created: ignored,
    deleted: ignored,
    functions: ignored,
    activeUsers: ignored,
  }),
  /** The id, which is positive (rules/calls 7). */
  answer: z.number().int(),
  errors: ['not_found', 'role_name_taken', 'last_admin'],
  changes: { action: 'Update', entity: 'Role' },
  stepUp: 'always',
})

export const deleteRole = call({
  method: 'GET',
  path: 'AppRole/DelAppRole',
  summary: 'Remove a role that nobody has. Staff admins only.',
  permission: 'staffAdmin',
  query: z.strictObject({ id: roleIdValue }),
  answer: z.literal(true),
  errors: ['not_found', 'role_in_use', 'own_admin_role'],
  changes: { action: 'Delete', entity: 'Role' },
  stepUp: 'always',
})
