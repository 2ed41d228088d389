import { generate } from 'mqtt-packet'

const AT_TEXT = '2000-01-01T00:00:00.000Z'
/** Reports vary, so that neither side profits from the same numbers. */
const VARIANTS = 8

interface Times {
  readonly firstAtMs: number
  readonly stepMs: number
  /** Times lie within this span from the first; what would exceed it starts at the first again, a millisecond later. */
  readonly spanMs: number
}

/** What one connection of the load sends, packet after packet. */
export interface PreparedPackets {
  packets(firstIndex: number, count: number): Buffer
  /** How many go out together when there is room for so many. */
  together(firstIndex: number, room: number): number
  /** The number of values in these packets. */
  values(firstIndex: number, count: number): number
}

/** Holds PUBLISH packets of one device in which only the packet id and the digits of the time have to be written. */
export class PreparedReport implements PreparedPackets {
  readonly together = (_firstIndex: number, room: number) => room
  readonly #variants: Buffer[]
  readonly #idAt: number
  readonly #timeAt: number
  readonly #times: Times
  readonly #values: number

  constructor(guid: string, columns: readonly string[], times: Times) {
    const topic = `v1/devices/${guid}/events/display`
    this.#times = times
    this.#values = columns.length
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
      packet.write(new Date(this.#atMs(index)).toISOString(), this.#timeAt, 'latin1')
      parts.push(packet)
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  values(_firstIndex: number, count: number): number {
    return count * this.#values
  }

  #atMs(index: number): number {
    const { firstAtMs, stepMs, spanMs } = this.#times
    const behindFirstMs = index * stepMs
    return firstAtMs + (behindFirstMs % spanMs) + Math.floor(behindFirstMs / spanMs)
  }
}
