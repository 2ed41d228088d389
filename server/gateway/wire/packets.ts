export const CONNECT = 1
export const PUBACK = 4
export const PUBREL = 6
export const SUBSCRIBE = 8
export const UNSUBSCRIBE = 10
export const PINGREQ = 12
export const DISCONNECT = 14

const PUBLISH_BYTE = 0x30
const PUBACK_BYTE = 0x40
const PUBREC_BYTE = 0x50
const PUBCOMP_BYTE = 0x70
const SUBACK_BYTE = 0x90
const RETAIN = 1

export const PINGRESP = Buffer.from([0xd0, 0])

export interface PublishHead {
  readonly qos: number
  readonly topic: string
  /** The id is 0 for QoS 0. */
  readonly packetId: number
  readonly payload: number
}

/** Reads the topic and packet id of a PUBLISH; undefined where it breaks the protocol. */
export function readPublishHead(firstByte: number, bytes: Buffer, body: number, end: number): PublishHead | undefined {
  const qos = (firstByte >> 1) & 3
  if (qos === 3 || body + 2 > end) return undefined
  const topicLength = bytes.readUInt16BE(body)
  const idAt = body + 2 + topicLength
  const payload = qos === 0 ? idAt : idAt + 2
  if (topicLength === 0 || payload > end) return undefined
  const packetId = qos === 0 ? 0 : bytes.readUInt16BE(idAt)
  if (qos > 0 && packetId === 0) return undefined
  return { qos, topic: bytes.toString('utf8', body + 2, idAt), packetId, payload }
}

/** A token stands for a due acknowledgement: the packet id, with this bit for QoS 2. */
const QOS_2_TOKEN = 0x10000

export function packetToken(qos: number, packetId: number): number {
  return qos === 2 ? packetId | QOS_2_TOKEN : packetId
}

export function acknowledgements(tokens: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(tokens.length * 4)
  let at = 0
  for (const token of tokens) {
    bytes[at] = token >= QOS_2_TOKEN ? PUBREC_BYTE : PUBACK_BYTE
    bytes[at + 1] = 2
    bytes[at + 2] = (token >> 8) & 0xff
    bytes[at + 3] = token & 0xff
    at += 4
  }
  return bytes
}

export function pubcomp(packetId: number): Buffer {
  return Buffer.from([PUBCOMP_BYTE, 2, packetId >> 8, packetId & 0xff])
}

/** The session-present flag is never set, because the gateway keeps no sessions. */
export function connack(code: number): Buffer {
  return Buffer.from([0x20, 2, 0, code])
}

export function suback(packetId: number, granted: readonly number[]): Buffer {
  return Buffer.from([SUBACK_BYTE, ...lengthBytes(2 + granted.length), packetId >> 8, packetId & 0xff, ...granted])
}

export function unsuback(packetId: number): Buffer {
  return Buffer.from([0xb0, 2, packetId >> 8, packetId & 0xff])
}

export interface Telling {
  readonly topic: string
  readonly payload: string
  readonly qos: number
  readonly retain: boolean
}

/** @param packetId is used only for QoS 1 */
export function publish({ topic, payload, qos, retain }: Telling, packetId: number): Buffer {
  const topicBytes = Buffer.byteLength(topic)
  const body = 2 + topicBytes + (qos > 0 ? 2 : 0)
  const length = lengthBytes(body + Buffer.byteLength(payload))
  const bytes = Buffer.allocUnsafe(1 + length.length + body + Buffer.byteLength(payload))
  bytes.set([PUBLISH_BYTE | (qos << 1) | (retain ? RETAIN : 0), ...length])
  let at = bytes.writeUInt16BE(topicBytes, 1 + length.length)
  at += bytes.write(topic, at)
  if (qos > 0) at = bytes.writeUInt16BE(packetId, at)
  bytes.write(payload, at)
  return bytes
}

/** The length has seven bits in each byte, the lowest first (2.2.3). */
function lengthBytes(length: number): number[] {
  const bytes = [length & 0x7f]
  for (let left = length >> 7; left > 0; left >>= 7) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(left & 0x7f)
  }
  return bytes
}
