import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { CustomerId } from '#domain/ids.ts'
import type { Expectation, Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly customers: Record<Target, CustomerId>
}

const ADMIN = 1
const MANAGER = 2
const NEVER = 2_000_000_000
const ADD_FACTOR = `insert into user_factor (user_id, kind, name, secret) values ($1, 'authenticator', 'Phone', '\\x00')`

/**
 * Expectations about users, roles and customers. The subject is made anew before each use, because a use may have
 * removed it: users without functions, whom every admin of their customer manages.
 */
export function peopleExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  const userIds: Record<Target, number> = {
    own: 0,
    foreign: 0,
    deleted: 0,
    never: NEVER,
    movedIn: NEVER,
    movedAway: NEVER,
  }
  let roleId = 0

  async function addRole() {
    const { rows } = await world().api.pool.query('insert into app_role (name) values ($1) returning id', [
      `Role ${randomUUID()}`,
    ])
    roleId = rows[0].id
  }

  async function addTargetUser(target: Target) {
    if (target === 'never') return
    await addRole()
    const { api, customers } = world()
    const { rows } = await api.pool.query(
      `insert into app_user (username, first_name, role_id, customer_id, deleted_at)
       values ($1, 'canary of the other customer', $2, $3, case when $4 then now() end) returning id`,
      [
        `${randomUUID()}@${target}.example`,
        roleId,
        target === 'foreign' ? customers.foreign : customers.own,
        target === 'deleted',
      ],
    )
    userIds[target] = rows[0].id
    // The canary of the other customer belongs to the other customer's user alone.
    if (target !== 'foreign')
      await api.pool.query(`update app_user set first_name = 'Ours' where id = $1`, [rows[0].id])
  }

  const aboutUser = (asked: (id: number) => ReturnType<Expectation['asked']>): Expectation => ({
    allowed: [ADMIN],
    about: 'user',
    asked: (target) => asked(userIds[target]),
    prepare: addTargetUser,
  })

  return {
    'AppUser/GetAppUserList': {
      allowed: [ADMIN, MANAGER],
      about: 'customer',
      asked: (target) => ({ query: { customerId: world().customers[target] } }),
      prepare: addTargetUser,
    },
    'AppUser/GetAppUser': aboutUser((id) => ({ query: { id } })),
    'AppUser/SetAppUser': aboutUser((id) => ({ method: 'POST', body: { id, firstName: 'Renamed' } })),
    'AppUser/ResetFactors': {
      ...aboutUser((id) => ({ method: 'POST', body: { id } })),
      prepare: async (target) => {
        await addTargetUser(target)
        if (target !== 'never') await world().api.pool.query(ADD_FACTOR, [userIds[target]])
      },
    },
    'AppUser/DelAppUser': aboutUser((id) => ({ query: { id } })),
    'AppUser/DownloadPersonalData': aboutUser((id) => ({ query: { id } })),
    'AppUser/ErasePersonalData': aboutUser((id) => ({ method: 'POST', body: { id } })),
    'AppRole/DelAppUser': aboutUser((id) => ({ query: { id } })),
    'AppRole/GetAppRoleList': { allowed: [ADMIN], asked: () => ({}) },
    'AppRole/GetAppFunctionList': { allowed: [ADMIN], asked: () => ({}) },
    'AppRole/GetAppRole': {
      allowed: [ADMIN],
      asked: () => ({ query: { id: roleId, getFullData: true } }),
      prepare: addRole,
    },
    'AppRole/SetAppRole': {
      allowed: { staffWith: [ADMIN] },
      asked: () => ({ method: 'POST', body: { name: `Role ${randomUUID()}`, roleFunctions: [{ functionId: 2 }] } }),
    },
    'AppRole/DelAppRole': {
      allowed: { staffWith: [ADMIN] },
      asked: () => ({ query: { id: roleId } }),
      prepare: addRole,
    },
    'Customer/GetCustomerRecordList': { allowed: { staffWith: [ADMIN] }, asked: () => ({}) },
    'Customer/SetCustomer': {
      allowed: { staffWith: [ADMIN] },
      asked: () => ({ method: 'POST', body: { name: `Customer ${randomUUID()}` } }),
    },
  }
}
