import { type AddressInfo, connect, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '#server/settings/config.ts'
import { addUser, openSession, type StartOptions, startApi } from '#server/testing/callers.ts'
import { listenLive } from '#server/testing/liveStream.ts'

const watched = { deviceIds: [] }

async function start(config: Partial<Config>, options: StartOptions = {}) {
  let open = 0
  const api = await startApi({
    config: { trustedProxies: ['127.0.0.1'], ...config },
    onWatch: (stream) => {
      open++
      stream.onClose(() => open--)
      stream.send('ready', {})
    },
    ...options,
  })
  onTestFinished(() => api.stop())
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const signIn = async (username: string) =>
    openSession(api.pool, await addUser(api.pool, { username, functions: [2] }))
  return {
    api,
    url,
    port,
    signIn,
    openCount: () => open,
    listen: (token: string, address = '192.0.2.1') =>
      listenLive(url, token, watched, () => undefined, { 'x-forwarded-for': address }),
  }
}

const lastOf = ({ heard }: { readonly heard: readonly object[] }) => heard.at(-1)

test('a user who opens more streams than places loses the oldest, which says why, and nobody else loses any', async () => {
  const { signIn, listen, openCount } = await start({ streamsPerUser: 3 })
  const [busy, quiet] = [await signIn('busy@a.example'), await signIn('quiet@a.example')]
  const other = await listen(quiet)
  const streams = []
  for (let n = 0; n < 10; n++) streams.push(await listen(busy))
  await Promise.all(streams.slice(0, 7).map(({ ended }) => ended))
  expect(streams.slice(0, 7).map(lastOf)).toEqual(
    Array.from({ length: 7 }, () => ({ event: 'ended', data: { reason: 'user_limit' } })),
  )
  expect([...streams.slice(7), other].map(lastOf)).toEqual(
    Array.from({ length: 4 }, () => ({ event: 'ready', data: {} })),
  )
  expect(openCount()).toBe(4)
})

test('an address and the server have places of their own, of which whoever has the most gives one', async () => {
  const { signIn, listen } = await start({ streamsPerUser: 3, streams: 6 })
  const tokens = [
    await signIn('one@a.example'),
    await signIn('two@a.example'),
    await signIn('three@a.example'),
  ] as const
  const quiet = await listen(tokens[0])
  const first = await listen(tokens[1])
  const second = await listen(tokens[1])
  // One address may have half of the six places.
  await listen(tokens[2])
  await first.ended
  expect(lastOf(first)).toEqual({ event: 'ended', data: { reason: 'address_limit' } })
  const many = []
  for (const address of ['192.0.2.2', '192.0.2.3', '192.0.2.4']) many.push(await listen(tokens[2], address))
  await listen(tokens[0], '192.0.2.5')
  await listen(tokens[1], '192.0.2.6')
  await many[0]?.ended
  expect(many.map(lastOf)[0]).toEqual({ event: 'ended', data: { reason: 'server_limit' } })
  expect([quiet, second].map(lastOf)).toEqual(Array.from({ length: 2 }, () => ({ event: 'ready', data: {} })))
})

test('addresses of one IPv6 network are one address', async () => {
  const { signIn, listen } = await start({ streamsPerUser: 1, streams: 2 })
  const [one, two] = [await signIn('one@a.example'), await signIn('two@a.example')]
  const first = await listen(one, '2001:db8:0:1::1')
  await listen(two, '2001:db8:0:1::2')
  await first.ended
  expect(lastOf(first)).toEqual({ event: 'ended', data: { reason: 'address_limit' } })
})

test('places are given back by streams that their readers leave', async () => {
  const { signIn, listen, openCount } = await start({ streamsPerUser: 2 })
  const token = await signIn('manager@a.example')
  const kept = await listen(token)
  for (let n = 0; n < 5; n++) {
    const left = await listen(token)
    left.close()
    await expect.poll(openCount).toBe(1)
  }
  expect(lastOf(kept)).toEqual({ event: 'ready', data: {} })
})

test('a reader that leaves while its stream is being opened is not kept', async () => {
  let closed = 0
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: isRequested, resolve: ask } = Promise.withResolvers<void>()
  const { api, url, signIn } = await start(
    {},
    {
      onWatch: async (stream) => {
        ask()
        await promise
        stream.onClose(() => closed++)
      },
    },
  )
  const token = await signIn('manager@a.example')
  const leaving = new AbortController()
  const answer = fetch(`${url}/api/Live/Watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...watched, stateDeviceIds: [] }),
    signal: leaving.signal,
  })
  await isRequested
  leaving.abort()
  await expect(answer).rejects.toThrow()
  await expect.poll(() => connections(api.app.server)).toBe(0)
  goOn()
  await expect.poll(() => closed).toBe(1)
})

test('a reader that takes nothing of an answer is dropped', async () => {
  const { api, port } = await start({ apiDocs: 'public' }, { stalledAfterMs: 300 })
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.on('error', () => undefined)
  // Their answers are more than the buffers of the system hold, so they have to wait.
  socket.write('GET /api/docs/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50))
  await expect.poll(() => connections(api.app.server)).toBe(1)
  await expect.poll(() => connections(api.app.server), { timeout: 20_000 }).toBe(0)
}, 30_000)

const connections = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((fault, count) => (fault ? reject(fault) : resolve(count))),
  )
