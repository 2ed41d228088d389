import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { login } from '#contract/http/people/signIn.ts'
import { startMailServer } from '#testing/mailServer.ts'
import { apiTest } from '../testing/apiTest.ts'
import { addUser, ask, PASSWORD } from '../testing/callers.ts'
import { eventually } from '../testing/devices/gatewayFixture.ts'
import { routedMails } from '../testing/mail/routedMails.ts'
import { MailQueue } from './mailQueue.ts'
import { SmtpMailer } from './sending/SmtpMailer.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/149.0.0.0 Safari/537.36'

const api = await apiTest()
const pool: pg.Pool = api.pool
const server = await startMailServer()
afterAll(() => server.stop())
const queue = new MailQueue({
  ...routedMails(pool),
  pool,
  mailer: new SmtpMailer({ url: server.url, from: 'signs@signs.example' }),
  idDomain: 'signs.example',
  consoleUrl: 'https://signs.example',
  log: { warn: () => undefined },
})

/** @returns the cookie of the browser, which knows its user from then on */
async function signIn(username: string, userAgent: string, cookie?: string): Promise<string> {
  const headers = { 'user-agent': userAgent, ...(cookie && { cookie }) }
  const answer = await ask(api, login.path, { method: 'POST', body: { username, password: PASSWORD }, headers })
  expect(answer.statusCode).toBe(200)
  return String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
}

const told = async () => {
  await queue.job.runUnfenced()
  return server.mails.splice(0)
}

test('somebody who signs in from a browser in which they were not known is told by mail, and of nothing else', async () => {
  const username = 'eva@signs.example'
  await addUser(pool, { username, functions: [2] })
  const cookie = await signIn(username, FIREFOX)
  expect(await told()).toEqual([])
  await signIn(username, FIREFOX, cookie)
  // The browser has lost its cookies, and is where it was before.
  await signIn(username, FIREFOX)
  expect(await told()).toEqual([])

  await signIn(username, CHROME)
  const [mail, ...others] = await eventually(told, (mails) => mails.length > 0)
  expect(others).toEqual([])
  expect(mail?.to).toEqual([username])
  expect(mail?.readable).toContain('Browser: Chrome on Windows')
  expect(mail?.readable).toContain('Address: 127.0.0.1')
  expect(await told()).toEqual([])
})

test('an address of an international domain is taken, stored as it was written, and mailed by its name for mail servers', async () => {
  const admin = await api.signedIn({ username: 'admin@signs.example', functions: [1] })
  const { rows } = await pool.query('select role_id as "roleId" from app_user where username = $1', [
    'admin@signs.example',
  ])
  const body = { username: 'eva@müller.example', roleId: rows[0].roleId }
  const added = await ask(api, 'AppUser/SetAppUser', { token: admin, method: 'POST', body })
  expect(added.statusCode).toBe(200)
  const user = await ask(api, 'AppUser/GetAppUser', { token: admin, query: { id: added.json() } })
  expect(user.json()).toMatchObject({ username: 'eva@müller.example', email: 'eva@müller.example' })
  const asked = await ask(api, 'App/RequestPasswordReset', {
    method: 'POST',
    body: { username: 'Eva@MÜLLER.example' },
  })
  expect(asked.statusCode).toBe(200)
  const [mail] = await eventually(told, (mails) => mails.length > 0)
  expect(mail?.raw).toMatch(/^To: eva@xn--mller-kva\.example\r$/m)
})

test('who was disabled since is told nothing', async () => {
  const username = 'jan@signs.example'
  const id = await addUser(pool, { username, functions: [2] })
  await signIn(username, FIREFOX)
  await signIn(username, CHROME)
  await pool.query('update app_user set is_disabled = true where id = $1', [id])
  expect(await told()).toEqual([])
})
