import type { CustomerId } from '../ids.ts'
import { FUNCTION, type FunctionId } from './functions.ts'

/** The rights of somebody: their functions and whose data they see. */
export interface Authority {
  readonly functions: readonly FunctionId[]
  /** Present for customer users, who see and change only this customer. */
  readonly customerId?: CustomerId
  readonly isLab: boolean
  readonly isInternal: boolean
}

const { admin, deviceManager, createDevice, analytics, seeDevices } = FUNCTION

/** The permissions of calls and screens, each with the functions of which one is enough (rules/permissions 1). */
export const FUNCTIONS_OF = {
  admin: [admin],
  deviceManager: [admin, deviceManager],
  createDevice: [admin, createDevice],
  analytics: [admin, analytics],
  /** Reading devices is also permitted to those who manage them. */
  seeDevices: [admin, deviceManager, seeDevices],
  /** This data serves the tiles of a device as well as charts. */
  seeDevicesOrAnalytics: [admin, deviceManager, seeDevices, analytics],
} as const

/**
 * `rawExport` admits lab users, for the devices whose tabs they may open; `internal` a configured list of addresses.
 * `seeDevicesOrInternal` is for a call that answers each of them differently, `staffAdmin` for what concerns every
 * customer. `sendStatements` is for staff alone too, because a statement is issued before it is sent.
 */
export type Permission =
  | 'public'
  | 'signedIn'
  | 'rawExport'
  | 'internal'
  | 'seeDevicesOrInternal'
  | 'staffAdmin'
  | 'sendStatements'
  | keyof typeof FUNCTIONS_OF

export function isAllowed(permission: Permission, authority: Authority | undefined): boolean {
  if (permission === 'public') return true
  if (!authority) return false
  if (permission === 'signedIn') return true
  if (permission === 'rawExport') return authority.isLab && isAllowed('deviceManager', authority)
  if (permission === 'internal') return authority.isInternal
  if (permission === 'seeDevicesOrInternal') {
    return isAllowed('internal', authority) || isAllowed('seeDevices', authority)
  }
  if (permission === 'staffAdmin') return authority.customerId === undefined && isAllowed('admin', authority)
  if (permission === 'sendStatements') {
    const isSender = authority.functions.includes(FUNCTION.sendStatements) || isAllowed('admin', authority)
    return authority.customerId === undefined && isSender
  }
  return FUNCTIONS_OF[permission].some((needed) => authority.functions.includes(needed))
}

/**
 * Returns the functions that both have, including those that the other's imply. An admin may do everything; two admins
 * share only what both name, because an admin of a customer assigns what their role names.
 */
export function sharedFunctions(one: readonly FunctionId[], other: readonly FunctionId[]): readonly FunctionId[] {
  const areAdmins = one.includes(admin) && other.includes(admin)
  const may = (held: readonly FunctionId[], id: FunctionId) =>
    held.includes(id) || (!areAdmins && (held.includes(admin) || (id === seeDevices && held.includes(deviceManager))))
  return [...new Set([...one.filter((id) => may(other, id)), ...other.filter((id) => may(one, id))])].sort(
    (a, b) => a - b,
  )
}

/** Returns the first page after signing in without a requested address (rules/addresses 2). */
export function homePath(authority: Authority): '/overview' | '/analytics' | undefined {
  if (isAllowed('seeDevices', authority)) return '/overview'
  if (isAllowed('analytics', authority)) return '/analytics'
  return undefined
}
