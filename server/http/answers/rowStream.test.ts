import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { collectGarbage } from '#server/testing/collectGarbage.ts'
import { passTime } from '#testing/passTime.ts'
import { rowStream } from './rowStream.ts'

interface Ended {
  count: number
  fault: unknown
}

async function serve(rows: () => AsyncIterable<unknown>) {
  const ended: Ended = { count: 0, fault: undefined }
  const server = createServer(async (_request, response) => {
    const onEnd = (fault: unknown) => {
      ended.count += 1
      ended.fault = fault
    }
    try {
      const stream = await rowStream({ rows: rows(), onEnd })
      stream.pipe(response)
      stream.once('error', () => response.destroy())
      response.once('close', () => stream.destroy())
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { ended, port, get: () => fetch(`http://127.0.0.1:${port}/`) }
}

async function* numbered(count: number, onRow: (index: number) => void = () => undefined) {
  for (let index = 0; index < count; index++) {
    onRow(index)
    if (index % 1000 === 0) await nextTurn()
    yield { index, text: 'x'.repeat(200) }
  }
}

const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 30_000, interval: 10 })

test('rows arrive as one JSON array, none and many alike', async () => {
  for (const count of [0, 1, 20_000]) {
    const { get, ended } = await serve(() => numbered(count))
    const rows = (await (await get()).json()) as { index: number }[]
    expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, index) => index))
    await until(() => ended.count === 1)
    expect(ended.fault).toBeUndefined()
  }
})

test('a fault before the first row is an ordinary refusal', async () => {
  const { get, ended } = await serve(async function* () {
    yield* []
    throw new Error('no table')
  })
  expect((await get()).status).toBe(500)
  expect(ended.count).toBe(1)
})

test('a fault in the middle breaks the connection instead of ending the array', async () => {
  const { get, ended } = await serve(async function* () {
    yield* numbered(5_000)
    throw new Error('the disk is gone')
  })
  await expect(get().then((answer) => answer.text())).rejects.toThrow()
  await until(() => ended.count === 1)
  expect(ended.fault).toMatchObject({ message: 'the disk is gone' })
})

test('a reader that leaves ends the reading of rows', async () => {
  let newest = 0
  let isFinished = false
  const { port, ended } = await serve(async function* () {
    try {
      yield* numbered(1_000_000, (index) => {
        newest = index
      })
    } finally {
      isFinished = true
    }
  })
  const reader = connect(port, '127.0.0.1')
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise((resolve) => reader.once('data', resolve))
  reader.destroy()
  await until(() => ended.count === 1 && isFinished)
  expect(ended.fault).toBeUndefined()
  expect(newest).toBeLessThan(999_999)
})

test('a reader that does not read holds the rows back, however many there are', async () => {
  let newest = 0
  const { port, ended } = await serve(() =>
    numbered(1_000_000, (index) => {
      newest = index
    }),
  )
  const reader = connect(port, '127.0.0.1')
  reader.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  reader.pause()
  let before = -1
  while (before !== newest) {
    before = newest
    await passTime(300, 'rows would come meanwhile, did anybody ask for them')
  }
  // All rows together are 200 MB; the buffers of both sockets hold a few of them.
  expect(newest).toBeLessThan(100_000)
  reader.destroy()
  await until(() => ended.count === 1)
})

function keptBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('memory stays the same while many rows pass', async () => {
  const { get } = await serve(() => numbered(400_000))
  const before = keptBytes()
  let most = before
  let bytes = 0
  let lookAt = 0
  for await (const chunk of (await get()).body ?? []) {
    bytes += chunk.length
    if (bytes < lookAt) continue
    lookAt = bytes + 10_000_000
    most = Math.max(most, keptBytes())
  }
  expect(bytes).toBeGreaterThan(80_000_000)
  // Chunks in transit come and go and stay until the garbage collector runs; rows that were kept would take all of
  // `bytes`.
  expect(most - before).toBeLessThan(bytes / 2)
})

test('what was never read gives its place back', async () => {
  let ends = 0
  const onEnd = () => {
    ends += 1
  }
  const stream = await rowStream({ rows: numbered(10), onEnd })
  stream.destroy()
  await until(() => ends === 1)
})
