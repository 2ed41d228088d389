import { expect, test } from 'vitest'
import type { UserId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addApiToken, addUser, ask, openSession } from '#server/testing/callers.ts'

const api = await apiTest()
let users = 0

async function newUser() {
  const userId = await addUser(api.pool, { username: `visitor${++users}@harbour.example`, functions: [2] })
  return { userId, token: await openSession(api.pool, userId) }
}
const before = async (token: string): Promise<string | null> =>
  (await ask(api, 'App/GetLastVisit', { token })).json().before
const kept = async (userId: UserId) =>
  (await api.pool.query('select * from user_visit where user_id = $1', [userId])).rows
/** Moves what is known of the user into the past. */
const laterBy = (userId: UserId, minutes: number) =>
  api.pool.query(
    `update user_visit set seen_at = seen_at - make_interval(mins => $2), before_at = before_at - make_interval(mins => $2)
     where user_id = $1`,
    [userId, minutes],
  )

test('a first visit has none before it, however long it lasts', async () => {
  const { userId, token } = await newUser()
  expect(await before(token)).toBeNull()
  for (let times = 0; times < 3; times += 1) {
    await laterBy(userId, 29)
    expect(await before(token)).toBeNull()
  }
})

test('after half an hour away the next call begins another visit, which keeps the end of the one before', async () => {
  const { userId, token } = await newUser()
  await before(token)
  await laterBy(userId, 31)
  const [{ seen_at: left }] = await kept(userId)
  expect(await before(token)).toBe(left.toISOString())
  expect(await before(await openSession(api.pool, userId))).toBe(left.toISOString())
  await laterBy(userId, 10)
  expect(await before(token)).toBe(new Date(left.getTime() - 600_000).toISOString())
})

test('within a minute nothing is written', async () => {
  const { userId, token } = await newUser()
  await before(token)
  const [noted] = await kept(userId)
  await before(token)
  expect(await kept(userId)).toEqual([noted])
})

test('a program makes no visit of its user', async () => {
  const { userId } = await newUser()
  const program = await addApiToken(api.pool, userId)
  expect((await ask(api, 'App/GetLastVisit', { token: program.token })).statusCode).toBe(403)
  expect(await kept(userId)).toEqual([])
})
