import fc from 'fast-check'
import { generate, type Packet } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { FrameReader } from './FrameReader.ts'
import { readPublishHead } from './packets.ts'

const publish = (payloadBytes: number, messageId = 1): Packet => ({
  cmd: 'publish',
  topic: 'v1/devices/x/events/ups',
  payload: Buffer.alloc(payloadBytes, 0x61),
  qos: 1,
  messageId,
  dup: false,
  retain: false,
})

function read(chunks: readonly Buffer[]) {
  const seen: string[] = []
  const reader = new FrameReader({
    frame: (bytes, begin, _body, end) => seen.push(bytes.subarray(begin, end).toString('hex')),
    oversized: (head, firstByte, length) =>
      seen.push(`oversized ${length} ${readPublishHead(firstByte, head, 0, head.length)?.packetId}`),
    malformed: (reason) => seen.push(`malformed: ${reason}`),
  })
  for (const chunk of chunks) reader.push(chunk)
  return seen
}

function chunked(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

test('packets are the same however the stream is cut into chunks', () => {
  const packets = [
    generate({ cmd: 'pingreq' }),
    generate(publish(3)),
    generate(publish(0)),
    generate(publish(20_000, 2)),
    generate({ cmd: 'disconnect' }),
    generate(publish(200, 3)),
  ]
  const expected = packets.map((packet) => packet.toString('hex'))
  const stream = Buffer.concat(packets)
  expect(read([...stream].map((byte) => Buffer.from([byte])))).toEqual(expected)
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
      expect(read(chunked(stream, cuts))).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

test('of a packet that is too long only the head is looked at, and the next one is read again', () => {
  const long = generate(publish(300_000, 77))
  const after = generate({ cmd: 'pingreq' })
  const expected = [`oversized ${long.length - 4} 77`, after.toString('hex')]
  const stream = Buffer.concat([long, after])
  expect(read([stream])).toEqual(expected)
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
      expect(read(chunked(stream, cuts))).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})

test('a length that never ends and a long packet that is no report end the reading', () => {
  const after = generate({ cmd: 'pingreq' })
  expect(read([Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff]), after])).toEqual(['malformed: no packet length'])
  expect(read([Buffer.from([0x82, 0xff, 0xff, 0xff, 0x7f]), after])).toEqual(['malformed: a packet that is too long'])
})

test('what comes behind a held packet waits for the release, in order', () => {
  const seen: number[] = []
  const reader = new FrameReader({
    frame: (bytes, begin) => {
      seen.push(bytes[begin] ?? 0)
      if (seen.length === 1) reader.hold()
    },
    oversized: () => undefined,
    malformed: () => undefined,
  })
  reader.push(Buffer.from([0x10, 0, 0xc0, 0, 0xe0]))
  reader.push(Buffer.from([0, 0xc0]))
  expect(seen).toEqual([0x10])
  reader.release()
  reader.push(Buffer.from([0]))
  expect(seen).toEqual([0x10, 0xc0, 0xe0, 0xc0])
})
