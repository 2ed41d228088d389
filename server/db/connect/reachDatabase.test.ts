import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#testing/freePort.ts'
import { emptyDatabase, freshDatabase } from '../../testing/database/freshDatabase.ts'
import { reachDatabase } from './reachDatabase.ts'

const database = await freshDatabase()
const { ownerUrl, applicationUrl } = database

const said = (setting: string, change: (url: URL) => void, from = applicationUrl) => {
  const url = new URL(from)
  change(url)
  const named = { setting, url: url.href }
  return reachDatabase(named, named, { asOwner: true }).then(
    () => 'reached',
    ({ message }: Error) => message,
  )
}
const toHost = (host: string, port: number) => (url: URL) => {
  url.host = `${host}:${port}`
  url.search = ''
}

test('the two roles of one database are reached by both settings', async () => {
  const application = { setting: 'DATABASE_URL', url: applicationUrl }
  await expect(reachDatabase(application, { setting: 'DATABASE_OWNER_URL', url: ownerUrl })).resolves.toBeUndefined()
})

test('what is wrong with an address is one sentence with the name of the setting, and no password', async () => {
  const port = await freePort()
  const sentences = [
    await said('DATABASE_URL', toHost('no-such-host.invalid', 5432)),
    await said('DATABASE_URL', toHost('127.0.0.1', port)),
    await said('DATABASE_URL', (url) => {
      url.pathname = '/nowhere'
    }),
    await said('DATABASE_OWNER_URL', (url) => {
      url.username = 'nobody_here'
    }),
    await said('DATABASE_OWNER_URL', (url) => {
      url.password = 'a wrong one'
    }),
  ]
  expect(sentences).toEqual([
    expect.stringMatching(/^DATABASE_URL: (there is no host named|the name) "no-such-host\.invalid".*\.$/),
    `DATABASE_URL: nothing listens at 127.0.0.1:${port}.`,
    'DATABASE_URL: there is no database named "nowhere".',
    'DATABASE_OWNER_URL: the database does not know the role "nobody_here", or refuses its password.',
    expect.stringMatching(/^DATABASE_OWNER_URL: the database does not know the role ".+", or refuses its password\.$/),
  ])
  for (const sentence of sentences) expect(sentence).not.toContain('a wrong one')
})

test('an application without its owner, and an owner of another database, are refused before anything is changed', async () => {
  expect(await said('DATABASE_URL', () => undefined)).toMatch(
    /^DATABASE_URL signs in as the role ".+", which does not own the tables: set DATABASE_OWNER_URL to the role that does\.$/,
  )
  const other = await emptyDatabase()
  const wrong = reachDatabase(
    { setting: 'DATABASE_URL', url: applicationUrl },
    { setting: 'DATABASE_OWNER_URL', url: other.ownerUrl },
  )
  await expect(wrong).rejects.toThrow(
    'DATABASE_URL and DATABASE_OWNER_URL name two different databases, and it has to be the same one.',
  )
})

/** PostgreSQL answers this while it replays its log: an error of the protocol, and the end of the connection. */
const STARTING_UP = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0', 'latin1')

test('a database that is starting is waited for, with one sentence, until the start is given up', async () => {
  let asked = 0
  const starting = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      asked++
      const message = Buffer.alloc(5 + STARTING_UP.length)
      message.write('E')
      message.writeInt32BE(4 + STARTING_UP.length, 1)
      STARTING_UP.copy(message, 5)
      socket.end(message)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void starting.close())
  await once(starting, 'listening')
  const { port } = starting.address() as AddressInfo
  const named = { setting: 'DATABASE_URL', url: `postgres://role:secret@127.0.0.1:${port}/wayside` }
  const told: string[] = []
  const givenUp = new AbortController()
  const reaching = reachDatabase(named, named, { say: (sentence) => told.push(sentence), signal: givenUp.signal })
  reaching.catch(() => undefined)
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(2)
  givenUp.abort()
  await expect(reaching).rejects.toThrow('abort')
  expect(told).toEqual(['The database of DATABASE_URL is starting or stopping; waiting for it …'])
})
