import { readAs } from '#console/lib/plainContract.ts'
import { type AppUser, emailValue, type setUser, usernameValue } from '#contract/http/appUser.ts'
import type { BodyOf } from '#contract/http/call.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { notAnEmail, required } from '#domain/validation/messages.ts'

/** The form of a user; what is not chosen is undefined. */
export interface UserValues {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly customerId: CustomerId | undefined
  readonly roleId: RoleId | undefined
  readonly isLab: boolean
  readonly isDisabled: boolean
}

type UserBody = BodyOf<typeof setUser>

export const USER_LABELS: Readonly<Record<keyof UserValues, string>> = {
  username: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email (notifications)',
  customerId: 'Customer',
  roleId: 'User role',
  isLab: 'Lab user',
  isDisabled: 'Disabled',
}

/** P2 §6: new users are not lab, not disabled. */
export const NEW_USER: UserValues = {
  username: '',
  firstName: '',
  lastName: '',
  email: '',
  customerId: undefined,
  roleId: undefined,
  isLab: false,
  isDisabled: false,
}

export function userValuesOf(user: AppUser): UserValues {
  const { username, firstName, lastName, email, customerId, roleId, isLab, isDisabled } = user
  return { username, firstName, lastName, email, customerId: customerId ?? undefined, roleId, isLab, isDisabled }
}

/** P2 §5 "Add user", "User form". */
export const userErrors = {
  username: (username: string) => {
    if (username.trim() === '') return required(USER_LABELS.username)
    return readAs(usernameValue, username) ? null : notAnEmail(USER_LABELS.username)
  },
  email: (email: string) => (readAs(emailValue, email) !== undefined ? null : notAnEmail(USER_LABELS.email)),
  roleId: (roleId: RoleId | undefined) => (roleId === undefined ? required(USER_LABELS.roleId) : null),
}

export function newUserBody({ username, firstName, lastName, email, customerId, roleId }: UserValues): UserBody {
  return {
    username,
    firstName,
    lastName,
    email,
    customerId: customerId ?? null,
    ...(roleId === undefined ? {} : { roleId }),
  }
}

/** Only what was changed here: what somebody else changed meanwhile stays. */
export function changedUserBody(id: UserId, before: UserValues, after: UserValues): UserBody {
  const { username: _, ...fields } = after
  const changed = Object.entries({ ...fields, customerId: after.customerId ?? null }).filter(
    ([name, value]) => value !== (before[name as keyof UserValues] ?? null),
  )
  return { id, ...Object.fromEntries(changed) }
}
