/** The few MQTT packets that the gateway reads and writes itself (MQTT 3.1.1). */

export const PUBREL = 6
export const PINGREQ = 12
export const CONNECT = 1

const CLEAN_SESSION = 0x02
const PUBACK_BYTE = 0x40
const PUBREC_BYTE = 0x50
const PUBCOMP_BYTE = 0x70

export const PINGRESP = Buffer.from([0xd0, 0])

export interface PublishHead {
  readonly qos: number
  readonly topic: string
  /** 0 for QoS 0. */
  readonly packetId: number
  /** Where the payload begins. */
  readonly payload: number
}

/** Topic and packet id of a PUBLISH, or undefined where it breaks the protocol. */
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

/**
 * A copy of a CONNECT that asks for a clean session and no keep-alive: the gateway keeps no session (design: Devices)
 * and watches for silence itself, since the broker does not see the reports.
 *
 * @returns undefined where it is no CONNECT that can be read
 */
export function plainConnect(
  bytes: Buffer,
  begin: number,
  body: number,
  end: number,
): { packet: Buffer; keepAliveSeconds: number } | undefined {
  if (body + 2 > end) return undefined
  const flagsAt = body + 2 + bytes.readUInt16BE(body) + 1
  if (flagsAt + 3 > end) return undefined
  const packet = Buffer.from(bytes.subarray(begin, end))
  const flags = flagsAt - begin
  packet[flags] = (packet[flags] ?? 0) | CLEAN_SESSION
  const keepAliveSeconds = packet.readUInt16BE(flags + 1)
  packet.writeUInt16BE(0, flags + 1)
  return { packet, keepAliveSeconds }
}

/** What stands for an acknowledgement that is due: the packet id, and whether it is QoS 2. */
const QOS_2_TOKEN = 0x10000

export function packetToken(qos: number, packetId: number): number {
  return qos === 2 ? packetId | QOS_2_TOKEN : packetId
}

/** PUBACK or PUBREC for each token, in one piece. */
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
