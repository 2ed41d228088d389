import { keepSession } from '#console/lib/call/sessionStore.ts'
import { signedInUser } from '#contract/http/people/signedInUser.ts'

let signIns = 0

/** It signs in without asking the server, as a staff admin with `changes`. */
export function signInAs(changes: Readonly<Record<string, unknown>> = {}) {
  const user = signedInUser.parse({
    id: 1,
    username: 'eva@example.com',
    email: 'eva@example.com',
    firstName: 'Eva',
    lastName: 'Novak',
    roleId: 1,
    roleName: 'Administrator',
    roleFunctions: [1, 2, 3, 5],
    accountId: 1,
    isAdmin: true,
    isDeviceManager: true,
    isAnalyticsUser: true,
    isLab: false,
    isInternal: false,
    timeZone: '',
    ...changes,
  })
  keepSession({ accessToken: `token${++signIns}`, user })
}
