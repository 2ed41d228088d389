import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { RunningServer } from '#server/app/server.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { addCustomer, addUser, openSession } from '#server/testing/callers.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'

let database: FreshDatabase
let pool: ReturnType<typeof openPool>
/** Administrators work at one server, and the other holds the streams. */
let here: RunningServer
let there: RunningServer
let admin: string
let customerId: CustomerId

beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool(database.applicationUrl, { maximumConnections: 3, name: 'test' })
  here = await startWholeServer(database)
  there = await startWholeServer(database)
  admin = await openSession(pool, await addUser(pool, { username: 'admin@staff.example', functions: [1] }))
  customerId = await addCustomer(pool, 'Ours')
})
afterAll(async () => {
  await here?.stop()
  await there?.stop()
  await pool?.end()
  await database?.drop()
})

const change = (path: string, body: object) =>
  askServer(here.localAddresses.httpUrl, path, { token: admin, method: 'POST', body })

/** Opens a stream. `end` resolves when the server has ended it. */
async function openStream(token: string): Promise<{ readonly end: Promise<void> }> {
  const answer = await fetch(`${there.localAddresses.httpUrl}/api/Live/Watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceIds: [], stateDeviceIds: [] }),
  })
  const reader = answer.body?.getReader()
  if (!answer.ok || !reader) throw new Error(`The stream was refused with ${answer.status}.`)
  await reader.read()
  const end = (async () => {
    while (!(await reader.read()).done);
  })()
  return { end }
}

const CHANGES: readonly {
  readonly what: string
  readonly make: (id: UserId, roleId: number) => Promise<unknown>
  readonly isOurs?: boolean
  readonly status: number
}[] = [
  { what: 'is deleted', make: (id) => change('AppUser/DelAppUser', { id }), status: 401 },
  { what: 'is disabled', make: (id) => change('AppUser/SetAppUser', { id, isDisabled: true }), status: 401 },
  {
    what: 'loses functions with their role',
    make: (_, id) => change('AppRole/SetAppRole', { id, name: `Empty ${id}`, roleFunctions: [] }),
    status: 403,
  },
  {
    what: 'goes to another customer',
    make: async (id) => change('AppUser/SetAppUser', { id, customerId: await addCustomer(pool, 'Theirs') }),
    isOurs: true,
    status: 200,
  },
  {
    what: 'is of a customer that is deactivated',
    make: () => change('Customer/SetCustomer', { id: customerId, isActive: false }),
    isOurs: true,
    status: 401,
  },
]

test.each(CHANGES)(
  'the open stream of somebody who $what ends in every process, and the next request has the rights of now',
  async ({ what, make, isOurs, status }) => {
    const user = { username: `${what.replaceAll(' ', '-')}@t.example`, functions: [2] as const }
    const id = await addUser(pool, { ...user, ...(isOurs && { customerId }) })
    const { role_id: roleId } = (await pool.query('select role_id from app_user where id = $1', [id])).rows[0]
    const token = await openSession(pool, id)
    const stream = await openStream(token)
    const other = await addUser(pool, { username: `other-${user.username}`, functions: [2] })
    const otherStream = await openStream(await openSession(pool, other))
    let hasOtherEnded = false
    void otherStream.end.then(() => {
      hasOtherEnded = true
    })

    expect(await make(id, roleId)).toMatchObject({ status: 200 })
    const next = await askServer(there.localAddresses.httpUrl, 'Device/GetDeviceList', { token })
    expect(next.status).toBe(status)
    await stream.end
    expect(hasOtherEnded).toBe(false)
  },
)
