import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addUser, ask, openSession, type StartOptions, startApi } from '#server/testing/callers.ts'
import { notFound } from '../call/callError.ts'

async function start(onWatch: NonNullable<StartOptions['onWatch']>) {
  const api = await startApi({ onWatch })
  onTestFinished(() => api.stop())
  const token = await openSession(api.pool, await addUser(api.pool, { username: 'manager@a.example', functions: [2] }))
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  return { api, token, port }
}

const body = { deviceIds: [], stateDeviceIds: [] }

function openedBy(token: string, port: number, signal?: AbortSignal) {
  return fetch(`http://127.0.0.1:${port}/api/Live/Watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'zstd, gzip', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
}

test('events arrive as they are sent, with the headers of every answer', async () => {
  const { token, port } = await start((stream) => {
    stream.send('device', { id: 1, text: 'two\nlines' })
    stream.close()
  })
  const answer = await openedBy(token, port)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await answer.text()).toBe('event: device\ndata: {"id":1,"text":"two\\nlines"}\n\n')
})

test('a stream that has nothing to say yet is open all the same', async () => {
  const { token, port } = await start(() => undefined)
  const leave = new AbortController()
  expect((await openedBy(token, port, leave.signal)).status).toBe(200)
  leave.abort()
})

test('what is refused before the first event is an ordinary refusal', async () => {
  const { api, token } = await start(() => {
    throw notFound()
  })
  const answer = await ask(api, 'Live/Watch', { token, method: 'POST', body })
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
})

test('a stop waits for no connection on which nothing more is asked, be its stream ended only while it stops', async () => {
  let end: () => void = () => undefined
  const { api, token, port } = await start((stream) => {
    end = stream.close
  })
  const answer = await openedBy(token, port)
  const silent = connect(port, '127.0.0.1')
  await new Promise((resolve) => silent.once('connect', resolve))
  const stopped = api.app.close()
  await nextTurn()
  end()
  expect(await answer.text()).toBe('')
  // If the stop had failed, both streams would be kept for a minute.
  await stopped
}, 15_000)

test('the server hears when a browser leaves', async () => {
  let hasLeft = false
  const { token, port } = await start((stream) => {
    stream.send('ready', {})
    stream.onClose(() => {
      hasLeft = true
    })
  })
  const leave = new AbortController()
  await openedBy(token, port, leave.signal)
  leave.abort()
  await expect.poll(() => hasLeft).toBe(true)
})

test('a reader that does not read is dropped before it fills the memory', async () => {
  let hasLeft = false
  const { token, port } = await start(async (stream) => {
    stream.onClose(() => {
      hasLeft = true
    })
    for (let n = 0; n < 500 && !hasLeft; n += 1) {
      stream.send('state', { text: 'x'.repeat(100_000) })
      await nextTurn()
    }
  })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  const text = JSON.stringify(body)
  socket.write(
    `POST /api/Live/Watch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )
  await expect.poll(() => hasLeft, { timeout: 10_000 }).toBe(true)
  socket.destroy()
})
