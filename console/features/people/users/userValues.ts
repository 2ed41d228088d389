import { messages } from '#console/lib/call/messages.ts'
import type { CallForm } from '#console/lib/form/useCallForm.ts'
import type { BodyOf } from '#contract/call/call.ts'
import type { AppUser, setUser } from '#contract/http/people/users.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'

/** A choice that is not made is undefined. */
export type UserValues = {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly customerId: CustomerId | undefined
  readonly roleId: RoleId | undefined
  readonly isLab: boolean
  readonly isDisabled: boolean
}
export type UserForm = CallForm<UserValues>

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

/** New users are neither lab nor disabled (rules/people 3). */
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

/** Adding and changing a user share these fields (rules/people 1). */
export const USER_FORM = {
  labels: USER_LABELS,
  content: (values: UserValues) => ({ ...values, customerId: values.customerId ?? null }),
  requires: ['roleId'],
  refusals: { username_taken: 'username' },
  answersIdOf: 'User',
  saved: messages.userSaved,
} as const

export function newUserBody({ isLab: _, isDisabled: __, ...user }: UserValues): UserBody {
  return { ...user, customerId: user.customerId ?? null }
}

/** Only fields that were changed here are sent, so that somebody else's changes stay. */
export function changedUserBody(id: UserId, before: UserValues, after: UserValues): UserBody {
  const { username: _, ...fields } = after
  const changed = Object.entries({ ...fields, customerId: after.customerId ?? null }).filter(
    ([name, value]) => value !== (before[name as keyof UserValues] ?? null),
  )
  return { id, ...Object.fromEntries(changed) }
}
