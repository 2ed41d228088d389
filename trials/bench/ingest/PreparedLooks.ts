import { generate } from 'mqtt-packet'
import type { Look } from './agentMinutes.ts'
import type { PreparedPackets } from './PreparedReport.ts'

const AT_TEXT = '2000-01-01T00:00:00.000Z'

interface PreparedPacket {
  readonly bytes: Buffer
  readonly idAt: number
  readonly timeAt: number
  readonly values: number
  /** Counts the looks of the recording. */
  readonly look: number
}

/** Holds what an agent was recorded to send, over and over, with a look each so many milliseconds of device time. */
export class PreparedLooks implements PreparedPackets {
  readonly #packets: readonly PreparedPacket[]
  readonly #looks: number
  readonly #firstAtMs: number
  readonly #stepMs: number

  constructor(guid: string, looks: readonly Look[], { firstAtMs, stepMs }: { firstAtMs: number; stepMs: number }) {
    this.#looks = looks.length
    this.#firstAtMs = firstAtMs
    this.#stepMs = stepMs
    this.#packets = looks.flatMap(({ reports }, look) =>
      reports.map(({ topic: ofPart, json, values }) => {
        const topic = `v1/devices/${guid}/${ofPart}`
        const payload = `{"at":"${AT_TEXT}","values":${json}}`
        const bytes = generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
        const idAt = bytes.indexOf(topic) + topic.length
        return { bytes, idAt, timeAt: bytes.indexOf(AT_TEXT), values, look }
      }),
    )
  }

  /** A look goes out whole, as the agent sends it. */
  together(firstIndex: number): number {
    const { look } = this.#at(firstIndex)
    let count = 1
    while (count < this.#packets.length && this.#at(firstIndex + count).look === look) count++
    return count
  }

  packets(firstIndex: number, count: number): Buffer {
    const parts: Buffer[] = []
    for (let index = firstIndex; index < firstIndex + count; index++) {
      const { bytes, idAt, timeAt, look } = this.#at(index)
      const packet = Buffer.from(bytes)
      const looksBefore = Math.floor(index / this.#packets.length) * this.#looks + look
      packet.writeUInt16BE((index % 65_535) + 1, idAt)
      packet.write(new Date(this.#firstAtMs + looksBefore * this.#stepMs).toISOString(), timeAt, 'latin1')
      parts.push(packet)
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  values(firstIndex: number, count: number): number {
    let values = 0
    for (let index = firstIndex; index < firstIndex + count; index++) values += this.#at(index).values
    return values
  }

  #at(index: number): PreparedPacket {
    return this.#packets[index % this.#packets.length] as PreparedPacket
  }
}
