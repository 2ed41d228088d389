import type { CustomerId, RoleId } from '../ids.ts'
import { FUNCTION, type FunctionId } from './functions.ts'
import { type Authority, isAllowed } from './permissions.ts'

/** A user as the rules of managing people see them. */
export interface ManagedUser {
  /** Null for staff. */
  readonly customerId: CustomerId | null
  readonly roleId: RoleId
  /** Of the user's role. */
  readonly functions: readonly FunctionId[]
  readonly isLab: boolean
  readonly isDisabled: boolean
}

/**
 * Whether somebody may hand out, or manage people with, these functions: a staff admin all of them, a customer's admin
 * exactly those that their own role names, and seeing devices where it names managing them (rules/permissions 10).
 */
export function mayGrant(authority: Authority, functions: readonly FunctionId[]): boolean {
  if (isAllowed('staffAdmin', authority)) return true
  return isAllowed('admin', authority) && functions.every((one) => holds(authority.functions, one))
}

const holds = (held: readonly FunctionId[], one: FunctionId) =>
  held.includes(one) || (one === FUNCTION.seeDevices && held.includes(FUNCTION.deviceManager))

/** Whether somebody manages this user at all: who may do less does not demote, disable or delete who may do more. */
export function mayManage(authority: Authority, user: Pick<ManagedUser, 'functions'>): boolean {
  return mayGrant(authority, user.functions)
}

/** Fields that only a staff admin sets. */
export function maySetLab(authority: Authority): boolean {
  return isAllowed('staffAdmin', authority)
}

/**
 * Whose user a new one is, or an edited one becomes: a customer's admin has only the own customer's.
 *
 * @returns undefined when another was asked for, who is nobody that a customer's admin knows of
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
