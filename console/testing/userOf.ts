import { type AppRole, appRole } from '#contract/http/people/roles.ts'
import { type AppUser, appUser } from '#contract/http/people/users.ts'

export function userOf(changes: Readonly<Record<string, unknown>> = {}): AppUser {
  return appUser.parse({
    id: 7,
    accountId: 1,
    username: 'marta@example.com',
    firstName: 'Marta',
    lastName: 'Horáková',
    email: 'marta@example.com',
    roleId: 2,
    customerId: null,
    password: 'set',
    isAdmin: false,
    isLab: false,
    isDisabled: false,
    created: '2026-11-01T10:00:00.000Z',
    createdBy: 1,
    updated: null,
    updatedBy: null,
    deleted: null,
    deletedBy: null,
    roleName: 'Device manager',
    customerName: '',
    ...changes,
  })
}

export function roleOf(changes: Readonly<Record<string, unknown>> = {}): AppRole {
  return appRole.parse({
    id: 2,
    name: 'Device manager',
    accountId: 1,
    created: '2026-11-01T10:00:00.000Z',
    deleted: null,
    functions: 'DeviceManager',
    activeUsers: 2,
    requiresBoundSession: false,
    allowsAssistants: false,
    factorGraceDays: null,
    roleFunctions: [],
    ...changes,
  })
}
