import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addUser, ask, openSession, signIn } from '#server/testing/callers.ts'
import { migrate } from '../db/upgrade/migrate.ts'
import { auditSealJob } from '../features/insight/auditLog/auditSealJob.ts'
import { emptyDatabase } from '../testing/database/freshDatabase.ts'

const api = await apiTest()

/** Runs the command as `npm run admin` does, with the password from a pipe. */
async function runAdmin(args: string[], password: string, databaseUrl = api.applicationUrl, environment = {}) {
  const command = spawn(process.execPath, [fileURLToPath(new URL('./admin.ts', import.meta.url)), ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: databaseUrl,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => command.on('close', resolve))
  command.stdin.end(password)
  const [out, err] = await Promise.all([text(command.stdout), text(command.stderr)])
  return { code: await ended, out, err }
}

test('set-password gives a user a new password, ends the sessions and leaves an audit row without it', async () => {
  const userId = await addUser(api.pool, { username: 'Eva@a.example', functions: [2] })
  const token = await openSession(api.pool, userId)
  const { code, out } = await runAdmin(['set-password', 'eva@a.example'], 'lantern gravel under tuba pier\n')
  expect([code, out]).toEqual([0, 'The password of eva@a.example is set; all sessions of eva@a.example have ended.\n'])
  expect((await ask(api, 'App/GetClientAuthData', { token })).statusCode).toBe(401)
  expect(await signIn(api, 'eva@a.example', 'lantern gravel under tuba pier')).toHaveLength(43)
  const { rows } = await api.pool.query(`select * from audit_log where call = 'admin set-password'`)
  expect(rows).toMatchObject([{ entity_id: userId, outcome: 'done', username: 'Command line' }])
  expect(JSON.stringify(rows)).not.toContain('lantern gravel')
})

test('reset-factors takes the second factors of a user away, ends the sessions and leaves an audit row', async () => {
  const userId = await addUser(api.pool, { username: 'lost@a.example', functions: [2] })
  const token = await openSession(api.pool, userId)
  await api.pool.query(
    `insert into user_factor (user_id, kind, name, secret) values ($1, 'authenticator', 'Phone', '\\x00')`,
    [userId],
  )
  const { code, out } = await runAdmin(['reset-factors', 'Lost@a.example'], '')
  expect([code, out]).toEqual([
    0,
    'Lost@a.example has no second factor any more; all sessions of Lost@a.example have ended.\n',
  ])
  expect((await ask(api, 'App/GetClientAuthData', { token })).statusCode).toBe(401)
  const { rows } = await api.pool.query(`select * from audit_log where call = 'admin reset-factors'`)
  expect(rows).toMatchObject([{ entity_id: userId, outcome: 'done', username: 'Command line' }])
})

test.each([
  [['reset-factors', 'eva@a.example'], '', 'eva@a.example has no second factor.\n'],
  [['set-password', 'nobody@a.example'], 'lantern gravel under tuba pier', 'There is no user nobody@a.example.\n'],
  [['set-password', 'eva@a.example'], 'short', 'A password has at least 15 characters.\n'],
])('%j is refused with one sentence', async (args, password, sentence) => {
  expect(await runAdmin(args, password)).toEqual({ code: 1, out: '', err: sentence })
})

test('drop-old-days says what a clock that jumped would drop, and goes by it when that is confirmed', async () => {
  expect(await runAdmin(['drop-old-days', '--confirm'], '')).toEqual({
    code: 0,
    out: 'The clock has not jumped: nothing waits for a confirmation.\n',
    err: '',
  })
  await api.pool.query(`update clock_state set seen_at = now() - interval '400 days'`)
  const jumped = /^The clock jumped forwards from .* None would be dropped.*--confirm/
  expect((await runAdmin(['drop-old-days'], '')).out).toMatch(jumped)
  expect((await runAdmin(['drop-old-days', '--yes'], '')).err).toMatch(/^Usage:/)
  expect((await runAdmin(['drop-old-days'], '')).out).toMatch(jumped)
  expect((await runAdmin(['drop-old-days', '--confirm'], '')).out).toMatch(/^Confirmed/)
  expect((await runAdmin(['drop-old-days'], '')).out).toMatch(/has not jumped/)
})

test('preflight says what a start would do, changes nothing, and ends with 1 when something stands against it', async () => {
  const { code, out } = await runAdmin(['preflight'], '')
  expect([code, out]).toEqual([0, expect.stringContaining('Nothing would be changed: it can start at any time.')])
  const old = await emptyDatabase()
  await migrate(old.ownerUrl, { upTo: 46 })
  const planned = await runAdmin(['preflight'], '', old.ownerUrl)
  expect(planned.out).toMatch(/up to 46, this program knows .*\n.*migrations would run.*\n {2}0047 {2}incidents: /)
  expect((await runAdmin(['preflight'], '', old.ownerUrl)).out).toContain('up to 46,')
  const owner = new pg.Client({ connectionString: old.ownerUrl })
  await owner.connect()
  await owner.query(`insert into migration (number, file_name, checksum) values (9999, '9999_future.sql', 'x')`)
  await owner.end()
  const refused = await runAdmin(['preflight'], '', old.ownerUrl)
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('The database is newer than this program')])
  await old.drop()
})

test('a server changes its login by add-database-login and remove-database-login, without the password anywhere else', async () => {
  const name = `login_d_${process.pid}`
  const environment = { DATABASE_OWNER_URL: api.ownerUrl }
  const added = await runAdmin(['add-database-login', name], '', api.applicationUrl, environment)
  expect(added).toMatchObject({ code: 0, err: '', out: expect.stringMatching(new RegExp(`^postgres(ql)?://${name}:`)) })
  const address = added.out.trim()
  expect((await runAdmin(['drop-old-days'], '', address)).out).toMatch(/Confirmed|has not jumped/)
  const remove = (databaseUrl: string) => runAdmin(['remove-database-login', name], '', databaseUrl, environment)
  expect(await remove(address)).toEqual({ code: 1, out: '', err: `${name} is what DATABASE_URL names.\n` })
  const embedded = await runAdmin(['add-database-login', name], '', '')
  expect([embedded.code, embedded.err]).toEqual([
    1,
    expect.stringMatching(/^The embedded database has no other logins/),
  ])
  await expect.poll(async () => (await remove(api.applicationUrl)).out).toBe(`${name} may not log in any more.\n`)
})

test('grafana-login makes, lists and drops a login of a customer, each change with an audit row and no password', async () => {
  const login = `grafana_admin_${process.pid}`
  const customerId = await addCustomer(api.pool, 'Reported')
  const run = async (...args: string[]) => (await runAdmin(['grafana-login', ...args], '', api.ownerUrl)).out
  const [host, database, username, password] = (await run('add', login, 'reported')).split('\n')
  expect(host).toMatch(/^Host URL: .+:\d+$/)
  expect(database).toBe(`Database name: ${new URL(api.ownerUrl).pathname.slice(1)}`)
  expect([username, password]).toEqual([`Username: ${login}`, expect.stringMatching(/^Password: [0-9a-f]{48}$/)])
  expect(await run('list')).toMatch(new RegExp(`^${login}: Reported, made \\d{4}-\\d\\d-\\d\\d, 0 connections\n$`))
  expect(await run('rotate', login)).not.toContain(password)
  expect(await run('drop', login)).toBe(`${login} is dropped.\n`)
  expect((await runAdmin(['grafana-login', 'drop', login], '', api.ownerUrl)).err).toMatch(/^There is no login /)
  expect((await runAdmin(['grafana-login', 'add', login], '', api.ownerUrl)).err).toMatch(/^Usage:/)
  const { rows } = await api.pool.query(`select * from audit_log where call = 'admin grafana-login' order by id`)
  expect(rows.map(({ details }) => details.split(' was ')[1])).toEqual(['made.', 'given another password.', 'dropped.'])
  expect(rows).toMatchObject(Array(3).fill({ customer_id: customerId, entity_name: 'Reported', outcome: 'done' }))
  expect(JSON.stringify(rows)).not.toContain(password?.slice(10))
})

test('verify-audit tells whether the log is as it was sealed, by a head that was kept too', async () => {
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await auditSealJob({ info: () => undefined, error: () => undefined }).run(
    owner,
    new Date(),
    AbortSignal.timeout(60_000),
  )
  const { code, out } = await runAdmin(['verify-audit'], '')
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^Newest head: 1:[0-9a-f]{64}\nThe audit log is as it was sealed: /),
  ])
  const kept = /1:[0-9a-f]{12}/.exec(out)?.[0] ?? ''
  expect((await runAdmin(['verify-audit', '--head', kept], '')).code).toBe(0)
  expect(await runAdmin(['verify-audit', '--head', `7:${kept.slice(2)}`], '')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^Block 7, whose head was kept, is missing/),
  })
  expect((await runAdmin(['verify-audit', '--head', 'nonsense'], '')).err).toMatch(/^A head is the number/)
  await owner.query(`update audit_log set details = 'x' where id = 1`)
  expect(await runAdmin(['verify-audit'], '')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^Row 1 is changed/),
  })
  await owner.end()
})

test('erase-person takes a deleted user out, and nobody who is there', async () => {
  const userId = await addUser(api.pool, { username: 'Ida@a.example', functions: [2] })
  expect((await runAdmin(['erase-person', 'ida@a.example'], '', api.ownerUrl)).err).toMatch(/is not deleted/)
  await api.pool.query('update app_user set deleted_at = now() where id = $1', [userId])
  expect((await runAdmin(['erase-person', 'ida@a.example'], '', api.ownerUrl)).out).toMatch(/is erased/)
  expect((await runAdmin(['erase-person', 'ida@a.example'], '', api.ownerUrl)).err).toMatch(/There is no user/)
})

test('a command that does not exist is answered with how to use it', async () => {
  const { code, err } = await runAdmin(['drop-everything'], '')
  expect([code, err.slice(0, 6)]).toEqual([1, 'Usage:'])
})
