/** MQTT packets are made by hand, because a load of thousands of devices must cost next to nothing. */

const LONGEST_HEADER = 5

/** Calls back for each whole packet. @returns the beginning of the next one */
export function cutPackets(rest: Buffer, chunk: Buffer, onPacket: (type: number, packet: Buffer) => void): Buffer {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
  let at = 0
  while (at < bytes.length) {
    const size = packetSize(bytes, at)
    if (size === undefined || at + size > bytes.length) break
    onPacket((bytes[at] ?? 0) >> 4, bytes.subarray(at, at + size))
    at += size
  }
  // A slice would keep the whole chunk, so this is a copy.
  return at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at))
}

function packetSize(bytes: Buffer, at: number): number | undefined {
  let length = 0
  for (let index = 1; index < LONGEST_HEADER; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    length += (byte & 127) * 128 ** (index - 1)
    if (byte < 128) return 1 + index + length
  }
  return undefined
}

export function publishPacket(topic: string, packetId: number, payload: string): Buffer {
  const payloadBytes = Buffer.byteLength(payload)
  const length = 2 + topic.length + 2 + payloadBytes
  const header = [0x32]
  for (let left = length; header.length === 1 || left > 0; left = Math.floor(left / 128)) {
    header.push((left % 128) + (left > 127 ? 128 : 0))
  }
  const packet = Buffer.allocUnsafe(header.length + length)
  packet.set(header)
  let at = packet.writeUInt16BE(topic.length, header.length)
  at += packet.write(topic, at, 'latin1')
  at = packet.writeUInt16BE(packetId, at)
  packet.write(payload, at)
  return packet
}
