import type { CustomerId, RoleId } from '../ids.ts'
import { FUNCTION, type FunctionId } from './functions.ts'
import { type Authority, isAllowed } from './permissions.ts'

export interface ManagedUser {
  /** Null for staff. */
  readonly customerId: CustomerId | null
  readonly roleId: RoleId
  readonly functions: readonly FunctionId[]
  readonly isLab: boolean
  readonly isDisabled: boolean
}

/**
 * Whether somebody may assign these functions, or manage users with them: a staff admin all of them, a customer's admin
 * exactly those of their own role, and seeing devices if it includes managing them (rules/permissions 10).
 */
export function mayGrant(authority: Authority, functions: readonly FunctionId[]): boolean {
  if (isAllowed('staffAdmin', authority)) return true
  return isAllowed('admin', authority) && functions.every((one) => holds(authority.functions, one))
}

const holds = (held: readonly FunctionId[], one: FunctionId) =>
  held.includes(one) || (one === FUNCTION.seeDevices && held.includes(FUNCTION.deviceManager))

/** Whether somebody manages this user at all: nobody may demote, disable or delete a user with more rights. */
export function mayManage(authority: Authority, user: Pick<ManagedUser, 'functions'>): boolean {
  return mayGrant(authority, user.functions)
}

/** Only a staff admin sets these fields. */
export function maySetLab(authority: Authority): boolean {
  return isAllowed('staffAdmin', authority)
}

/**
 * Returns the customer of a new or edited user: a customer's admin can choose only their own.
 *
 * @returns undefined when another was requested, whose existence a customer's admin must not learn
 */
export function customerOfUser(
  authority: Authority,
  asked: CustomerId | null | undefined,
  before: CustomerId | null,
): CustomerId | null | undefined {
  const own = authority.customerId
  if (own !== undefined) return (asked ?? own) === own ? own : undefined
  return asked === undefined ? before : asked
}

/** Whether this user keeps the installation manageable: an administrator of all customers who can sign in. */
export function isActiveStaffAdmin(
  user: Pick<ManagedUser, 'customerId' | 'functions' | 'isDisabled'> & { readonly hasPassword: boolean },
): boolean {
  return user.customerId === null && !user.isDisabled && user.hasPassword && user.functions.includes(FUNCTION.admin)
}
