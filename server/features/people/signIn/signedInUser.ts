import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import { type Authority, isAllowed } from '#domain/permissions/permissions.ts'
import type { Config } from '#server/settings/config.ts'
import type { AuthorityRow } from './apiTokenFinder.store.ts'
import type { UserRow } from './signIn.store.ts'

/** The settings that give rights to users by name, in lower case. */
export type RightsConfig = Pick<Config, 'labUsers' | 'internalUsers'>

export function authorityOf(user: AuthorityRow, { labUsers, internalUsers }: RightsConfig): Authority {
  const name = user.username.toLowerCase()
  return {
    functions: user.functions,
    ...(user.customerId === null ? {} : { customerId: user.customerId }),
    isLab: user.isLab || labUsers.includes(name),
    isInternal: internalUsers.includes(name),
  }
}

export function signedInUser(user: UserRow, authority: Authority, accountId: number): SignedInUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    roleId: user.roleId,
    roleName: user.roleName,
    roleFunctions: [...authority.functions],
    ...(authority.customerId === undefined ? {} : { customerId: authority.customerId }),
    accountId,
    isAdmin: isAllowed('admin', authority),
    isDeviceManager: isAllowed('deviceManager', authority),
    isAnalyticsUser: isAllowed('analytics', authority),
    isLab: authority.isLab,
    isInternal: authority.isInternal,
    timeZone: user.timeZone,
    ...(user.factorDueAt !== null && !user.hasFactor && { factorDueAt: user.factorDueAt.toISOString() }),
  }
}
