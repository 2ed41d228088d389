import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { freeOnceSent } from './freedOnceSent.ts'

let answer: (response: ServerResponse) => void = () => undefined
const server = createServer((_, response) => answer(response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => void server.close())

const port = () => (server.address() as AddressInfo).port

const parts = () => Array.from({ length: 40 }, (_, index) => new Uint8Array(300_000 + index).fill(index))

async function readSlowly(): Promise<Buffer> {
  const [incoming] = (await once(get({ port: port(), host: '127.0.0.1' }), 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer)
    if (chunks.length % 50 === 0) await passTime(20, 'the socket is to be full meanwhile')
  }
  return Buffer.concat(chunks)
}

test('what is sent arrives as it was made, however slowly it is read, and its memory is given back', async () => {
  const made = parts()
  answer = (response) => {
    freeOnceSent(response)
    Readable.from(made, { objectMode: false, highWaterMark: 65_536 }).pipe(response)
  }
  expect((await readSlowly()).equals(Buffer.concat(parts()))).toBe(true)
  expect(made.map(({ buffer }) => buffer.byteLength)).toEqual(made.map(() => 0))
})

test('memory that lies beside other things, and what was only cut from something, stays', async () => {
  const whole = new Uint8Array(400_000).fill(7)
  const small = Buffer.from('ends')
  let told = 0
  answer = (response) => {
    freeOnceSent(response)
    response.write(whole.subarray(0, 200_000), () => told++)
    response.write('text between', 'latin1', () => told++)
    response.end(small)
  }
  const sent = await readSlowly()
  expect(sent.length).toBe(200_000 + 'text between'.length + small.length)
  expect([whole.length, small.toString(), told]).toEqual([400_000, 'ends', 2])
})
