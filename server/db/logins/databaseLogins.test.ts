import pg from 'pg'
import { expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { addLogin, removeLogin } from './databaseLogins.ts'

const { database, owner } = await databaseTest()

async function connect(name: string, password: string) {
  const url = new URL(database.applicationUrl)
  url.username = name
  url.password = password
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return client
}

test('two logins of the application are valid at once, and the old one ends once nobody uses it', async () => {
  const [first, second] = [`login_a_${process.pid}`, `login_b_${process.pid}`]
  const old = await connect(first, await addLogin(owner, first))
  const fresh = await connect(second, await addLogin(owner, second))
  for (const client of [old, fresh]) {
    expect((await client.query('select count(*)::int as devices from device')).rows).toEqual([{ devices: 0 }])
    await expect(client.query('update audit_log set username = username')).rejects.toThrow(/permission denied/)
    await expect(client.query('create table mine ()')).rejects.toThrow(/permission denied/)
  }
  await expect(removeLogin(owner, first)).rejects.toThrow(`${first} is in use by 1 connections`)
  await old.end()
  await expect.poll(() => removeLogin(owner, first).then(() => 'gone', String)).toBe('gone')
  await expect(connect(first, 'whatever')).rejects.toThrow()
  expect((await fresh.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await fresh.end()
  await expect.poll(() => removeLogin(owner, second).then(() => 'gone', String)).toBe('gone')
})

test('a login is kept by its verifier, which no other password fits', async () => {
  const name = `login_c_${process.pid}`
  const password = await addLogin(owner, name)
  const kept = await owner.query<{ kept: string }>('select rolpassword as kept from pg_authid where rolname = $1', [
    name,
  ])
  expect(kept.rows[0]?.kept).toMatch(/^SCRAM-SHA-256\$4096:/)
  expect(kept.rows[0]?.kept).not.toContain(password)
  await expect(connect(name, `${password}0`)).rejects.toThrow(/password authentication failed/)
  await removeLogin(owner, name)
})

test('only logins of the application are made and ended', async () => {
  await expect(addLogin(owner, 'x; drop table device')).rejects.toThrow(/cannot be a login/)
  await expect(addLogin(owner, 'wayside_app')).rejects.toThrow('There is a role wayside_app already.')
  const { rows } = await owner.query<{ name: string }>('select current_user as name')
  for (const name of [rows[0]?.name ?? '', 'nobody', 'pg_monitor']) {
    await expect(removeLogin(owner, name)).rejects.toThrow(`${name} is no login of the application.`)
  }
})
