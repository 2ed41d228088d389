import fc from 'fast-check'
import { generate, type Packet, parser } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { readConnect, readSubscribe, readUnsubscribe } from './controlPackets.ts'
import { connack, publish, suback, unsuback } from './packets.ts'
import { takesIn } from './subscriptions.ts'

/** Encodes a packet with the library that devices use, and cuts off its fixed header as the gateway does. */
function bodyOf(packet: Packet): { firstByte: number; body: Buffer } {
  const bytes = generate(packet)
  let at = 1
  while ((bytes[at] ?? 0) > 127) at++
  return { firstByte: bytes[0] ?? 0, body: bytes.subarray(at + 1) }
}

function readByLibrary(bytes: Buffer): Packet[] {
  const packets: Packet[] = []
  const reader = parser({ protocolVersion: 4 })
  reader.on('packet', (packet) => packets.push(packet))
  reader.on('error', (error) => {
    throw error
  })
  expect(reader.parse(bytes)).toBe(0)
  return packets
}

const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const packetId = fc.integer({ min: 1, max: 0xffff })
const level = fc.string({ unit: 'grapheme', maxLength: 8 }).map((word) => word.replaceAll(/[+#/\0]/g, '-'))
const topic = fc
  .tuple(fc.array(fc.oneof(level, fc.constant('+')), { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([levels, isWhole]) => [...levels, ...(isWhole ? ['#'] : [])].join('/'))
  .filter((filter) => filter !== '')
const qos = fc.constantFrom(0 as const, 1 as const, 2 as const)
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))

const connects = fc.record({
  clientId: text,
  clean: fc.boolean(),
  keepalive: fc.nat(0xffff),
  protocol: fc.constantFrom({ protocolId: 'MQTT', protocolVersion: 4 }, { protocolId: 'MQIsdp', protocolVersion: 3 }),
  will: fc.option(fc.record({ topic, payload: bytes, qos, retain: fc.boolean() }), { nil: undefined }),
  credentials: fc.option(fc.record({ username: text, password: bytes }), { nil: undefined }),
})

type Made = typeof connects extends fc.Arbitrary<infer Value> ? Value : never

function connectPacket({ protocol, credentials, will, clientId, clean, keepalive }: Made): Packet {
  // A client may have no name only since 3.1.1 and only with a clean session (3.1.3-8).
  const mayBeNameless = clean && protocol.protocolVersion === 4
  const named = mayBeNameless || clientId !== '' ? clientId : 'x'
  const more = { ...(will && { will }), ...credentials }
  return { cmd: 'connect', ...protocol, clientId: named, clean, keepalive, ...more } as Packet
}

test('every CONNECT that a client library makes is read as it was meant', () => {
  fc.assert(
    fc.property(connects, (made) => {
      const packet = connectPacket(made)
      expect(readConnect(bodyOf(packet).body)).toEqual({
        clientId: (packet as { clientId: string }).clientId,
        keepAliveSeconds: made.keepalive,
        willTopic: made.will?.topic,
        username: made.credentials?.username,
        key: made.credentials?.password,
      })
    }),
  )
})

test('a CONNECT that ends early is not read, wherever it ends', () => {
  fc.assert(
    fc.property(connects, fc.nat(), (made, cut) => {
      const { body } = bodyOf(connectPacket(made))
      expect(readConnect(body.subarray(0, cut % body.length))).toBeUndefined()
    }),
  )
})

test('every SUBSCRIBE and UNSUBSCRIBE that a client library makes is read as it was meant', () => {
  const filters = fc.array(fc.record({ topic, qos }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(packetId, filters, (id, asked) => {
      const subscribing = bodyOf({ cmd: 'subscribe', messageId: id, subscriptions: asked })
      expect(readSubscribe(subscribing.firstByte, subscribing.body)).toEqual({ packetId: id, filters: asked })
      const topics = asked.map((filter) => filter.topic)
      const leaving = bodyOf({ cmd: 'unsubscribe', messageId: id, unsubscriptions: topics })
      expect(readUnsubscribe(leaving.firstByte, leaving.body)).toEqual({ packetId: id, topics })
    }),
  )
})

test('any bytes at all are read or not, and nothing else comes of them', () => {
  fc.assert(
    fc.property(fc.nat(255), bytes, (firstByte, body) => {
      readConnect(body)
      readConnect(Buffer.concat([Buffer.from([0, 4, 77, 81, 84, 84, 4]), body]))
      readSubscribe(firstByte, body)
      readUnsubscribe(firstByte, body)
    }),
  )
})

const ID = [0, 7]
const piece = (word: string) => [0, word.length, ...Buffer.from(word)]
const NAME = piece('MQTT')

test.each([
  ['another protocol', [...piece('HTTP'), 4, 2, 0, 0, 0, 0]],
  ['its reserved flag', [...NAME, 4, 3, 0, 0, 0, 0]],
  ['a QoS of no will', [...NAME, 4, 0x0a, 0, 0, 0, 0]],
  ['no version', NAME],
])('a CONNECT with %s is not read', (_what, body) => {
  expect(readConnect(Buffer.from(body))).toBeUndefined()
})

test.each([2, 5, 6])('version %i of the protocol is told from one that cannot be read', (version) => {
  expect(readConnect(Buffer.from([...NAME, version, 2, 0, 0, 0, 0, 0]))).toBe('unsupported')
})

test.each([
  ['no filter', [...ID]],
  ['no packet id', [0, 0, ...piece('a'), 1]],
  ['a QoS that there is not', [...ID, ...piece('a'), 3]],
  ['reserved bits', [...ID, ...piece('a'), 0x81]],
  ['no QoS', [...ID, ...piece('a')]],
  ['an empty filter', [...ID, 0, 0, 1]],
  ['half a level of wildcard', [...ID, ...piece('a+/b'), 1]],
  ['a wildcard for the rest in the middle', [...ID, ...piece('#/b'), 1]],
  ['a wildcard for the rest behind a word', [...ID, ...piece('a#'), 1]],
])('a SUBSCRIBE with %s is not read', (_what, body) => {
  expect(readSubscribe(0x82, Buffer.from(body))).toBeUndefined()
})

test('flags that are not those of the packet make it unreadable', () => {
  expect(readSubscribe(0x80, Buffer.from([...ID, ...piece('a'), 1]))).toBeUndefined()
  expect(readUnsubscribe(0xa0, Buffer.from([...ID, ...piece('a')]))).toBeUndefined()
})

test('what the gateway says is read by a client library as it was meant', () => {
  const tellings = fc.record({
    topic: text.filter((word) => word !== ''),
    payload: fc.string({ unit: 'grapheme', maxLength: 40_000 }),
    qos: fc.constantFrom(0, 1),
    retain: fc.boolean(),
  })
  fc.assert(
    fc.property(packetId, fc.array(qos, { minLength: 1, maxLength: 300 }), tellings, (id, granted, telling) => {
      const said = [connack(4), suback(id, granted), unsuback(id), publish(telling, id)]
      const [refused, subscribed, left, told] = readByLibrary(Buffer.concat(said))
      expect(refused).toMatchObject({ cmd: 'connack', returnCode: 4, sessionPresent: false })
      expect(subscribed).toMatchObject({ cmd: 'suback', messageId: id, granted })
      expect(left).toMatchObject({ cmd: 'unsuback', messageId: id })
      const payload = Buffer.from(telling.payload)
      expect(told).toMatchObject({ ...telling, cmd: 'publish', dup: false, payload })
      if (telling.qos > 0) expect(told).toMatchObject({ messageId: id })
    }),
  )
})

test.each([
  ['#', 'a/b', true],
  ['a/#', 'a', true],
  ['a/#', 'a/b/c', true],
  ['a/#', 'ab', false],
  ['a/+', 'a/b', true],
  ['a/+', 'a', false],
  ['a/+', 'a/', true],
  ['a/+', 'a/b/c', false],
  ['+', '/a', false],
  ['/+', '/a', true],
  ['+/+', '/a', true],
  ['a', 'A', false],
])('the filter %s and the topic %s', (filter, name, isTaken) => {
  expect(takesIn(filter, name)).toBe(isTaken)
})
