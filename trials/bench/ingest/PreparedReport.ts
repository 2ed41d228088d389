import { generate } from 'mqtt-packet'

const AT_TEXT = '2000-01-01T00:00:00.000Z'
/** Reports with different values, so that neither side profits from always seeing the same numbers. */
const VARIANTS = 8

/** PUBLISH packets of one device in which only the packet id and the digits of the time have to be written. */
export class PreparedReport {
  readonly #variants: Buffer[]
  readonly #idAt: number
  readonly #timeAt: number
  readonly #firstAtMs: number

  constructor(guid: string, columns: readonly string[], firstAtMs: number) {
    const topic = `v1/devices/${guid}/events/display`
    this.#firstAtMs = firstAtMs
    this.#variants = Array.from({ length: VARIANTS }, (_, variant) => {
      const values = Object.fromEntries(
        columns.map((name, index) => [name, Math.round((20 + index * 3.7 + variant * 1.31) * 100) / 100]),
      )
      return generate({
        cmd: 'publish',
        topic,
        payload: JSON.stringify({ at: AT_TEXT, values }),
        qos: 1,
        messageId: 1,
        dup: false,
        retain: false,
      })
    })
    const first = this.#variants[0] as Buffer
    this.#idAt = first.indexOf(topic) + topic.length
    this.#timeAt = first.indexOf(AT_TEXT)
  }

  packets(firstIndex: number, count: number): Buffer {
    const parts: Buffer[] = []
    for (let index = firstIndex; index < firstIndex + count; index++) {
      const packet = Buffer.from(this.#variants[index % VARIANTS] as Buffer)
      packet.writeUInt16BE((index % 65_535) + 1, this.#idAt)
      this.#writeTime(packet, this.#firstAtMs + index)
      parts.push(packet)
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  #writeTime(packet: Buffer, ms: number): void {
    const text = new Date(ms).toISOString()
    packet.write(text, this.#timeAt, 'latin1')
  }
}
