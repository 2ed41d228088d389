import type { CustomerId } from '../ids.ts'
import { FUNCTION, type FunctionId } from './functions.ts'

/** Who somebody is for a rule: what they may do and whose things they see. */
export interface Authority {
  readonly functions: readonly FunctionId[]
  /** Present for customer users: they see and touch only this customer. */
  readonly customerId?: CustomerId
  readonly isLab: boolean
  readonly isInternal: boolean
}

const { admin, deviceManager, createDevice, analytics, seeDevices } = FUNCTION

/** What a call or a screen needs: for each permission the functions of which one is enough (rules/permissions 1). */
export const FUNCTIONS_OF = {
  admin: [admin],
  deviceManager: [admin, deviceManager],
  createDevice: [admin, createDevice],
  analytics: [admin, analytics],
  /** Reads devices and changes nothing: whoever manages them sees them. */
  seeDevices: [admin, deviceManager, seeDevices],
  /** Data that serves the tiles of a device as well as charts. */
  seeDevicesOrAnalytics: [admin, deviceManager, seeDevices, analytics],
} as const

/**
 * `rawExport`: lab users, of the devices whose tabs they may open. `internal`: a configured list of addresses.
 * `seeDevicesOrInternal`: a call that answers each of them something else.
 * `staffAdmin`: what concerns every customer.
 */
export type Permission =
  | 'public'
  | 'signedIn'
  | 'rawExport'
  | 'internal'
  | 'seeDevicesOrInternal'
  | 'staffAdmin'
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
  return FUNCTIONS_OF[permission].some((needed) => authority.functions.includes(needed))
}

/**
 * What two may both do: of each what the other may do as well. An admin may do everything; of two admins each names only
 * what both name, because an admin of a customer hands out what their role names.
 */
export function sharedFunctions(one: readonly FunctionId[], other: readonly FunctionId[]): readonly FunctionId[] {
  const areAdmins = one.includes(admin) && other.includes(admin)
  const may = (held: readonly FunctionId[], id: FunctionId) =>
    held.includes(id) || (!areAdmins && (held.includes(admin) || (id === seeDevices && held.includes(deviceManager))))
  return [...new Set([...one.filter((id) => may(other, id)), ...other.filter((id) => may(one, id))])].sort(
    (a, b) => a - b,
  )
}

/** Where somebody lands after signing in without a wanted address (rules/addresses 2). */
export function homePath(authority: Authority): '/overview' | '/analytics' | undefined {
  if (isAllowed('seeDevices', authority)) return '/overview'
  if (isAllowed('analytics', authority)) return '/analytics'
  return undefined
}
