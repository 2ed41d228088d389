import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { momentValue, namedValue, nameValue, roleIdValue, userIdValue } from '#contract/call/values.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'

export const LONGEST_ROLE_NAME = 100
export const LONGEST_FACTOR_GRACE_DAYS = 90

/** That a role has a function, since when and by whom (rules/people 9). */
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
  /** Names of the functions, as the list shows them. */
  functions: z.string(),
  /** Whether assistants may use API tokens of those who have it. */
  allowsAssistants: z.boolean(),
  /** Of the caller's scope, without disabled ones. */
  activeUsers: z.number().int(),
  /** Whoever has it signs in only by browsers that keep half of the session in a cookie. */
  requiresBoundSession: z.boolean(),
  /** For so many days people get in without a second factor; null: they need none. */
  factorGraceDays: z.number().int().nullable(),
  /** Only with `getFullData`. */
  roleFunctions: z.array(roleFunction),
})
export type AppRole = z.output<typeof appRole>

export const listRoles = call({
  method: 'GET',
  path: 'AppRole/GetAppRoleList',
  summary: 'Roles by name; those that the caller may hand out.',
  permission: 'admin',
  shows: ['Role', 'User'],
  query: nothing,
  body: nothing,
  answer: z.array(appRole),
  errors: [],
})

export const listFunctions = call({
  method: 'GET',
  path: 'AppRole/GetAppFunctionList',
  summary: 'What roles are made of.',
  permission: 'admin',
  shows: [],
  query: nothing,
  body: nothing,
  answer: z.array(namedValue),
  errors: [],
})

export const getRole = call({
  method: 'GET',
  path: 'AppRole/GetAppRole',
  summary: 'One role, with `getFullData` also its functions.',
  permission: 'admin',
  shows: ['Role'],
  query: z.strictObject({ id: roleIdValue, getFullData: z.boolean().optional() }),
  body: nothing,
  answer: appRole,
  errors: ['not_found'],
})

/** Read-only fields of a record that is sent back. */
const ignored = z.unknown().optional()

export const setRole = call({
  method: 'POST',
  path: 'AppRole/SetAppRole',
  summary:
    'Add a role (id absent, 0 or negative) or change one, for everybody who has it. Staff admins only. Answers the id.',
  permission: 'staffAdmin',
  query: nothing,
  body: z.strictObject({
    id: z.int32().default(0),
    name: nameValue(LONGEST_ROLE_NAME),
    /** All functions of the role; absent: as they are. */
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
    /** Absent: as it is, and for a new role false. */
    requiresBoundSession: z.boolean().optional(),
    /** Absent: as it is; of a new one no. */
    allowsAssistants: z.boolean().optional(),
    /** Null: nobody needs a second factor; absent: as it is. */
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
  body: nothing,
  answer: z.literal(true),
  errors: ['not_found', 'role_in_use', 'own_admin_role'],
  changes: { action: 'Delete', entity: 'Role' },
  stepUp: 'always',
})
