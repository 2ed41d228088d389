const RESERVED = 0x01
const WILL = 0x04
const WILL_DETAILS = 0x38
const PASSWORD = 0x40
const USERNAME = 0x80
const HIGHEST_QOS = 2
/** Bridges set this bit beside the level. */
const BRIDGE = 0x80
const PROTOCOL_NAMES = new Set(['MQTT', 'MQIsdp'])
const SUPPORTED_LEVELS = new Set([3, 4])
/** The flags of SUBSCRIBE and UNSUBSCRIBE (2.2.2). */
const ASKING_FLAGS = 2

export interface Connect {
  readonly clientId: string
  readonly keepAliveSeconds: number
  readonly willTopic: string | undefined
  readonly username: string | undefined
  /** The key is a copy, because the packet's bytes are reused. */
  readonly key: Buffer | undefined
}

export interface Filter {
  readonly topic: string
  readonly qos: number
}

/** @returns undefined where it breaks the protocol, `unsupported` for another version of it */
export function readConnect(packet: Buffer): Connect | 'unsupported' | undefined {
  const fields = new Fields(packet)
  if (!PROTOCOL_NAMES.has(fields.text())) return undefined
  const level = fields.byte() & ~BRIDGE
  if (fields.isShort) return undefined
  if (!SUPPORTED_LEVELS.has(level)) return 'unsupported'
  const flags = fields.byte()
  const hasWill = (flags & WILL) !== 0
  if (flags & RESERVED || (!hasWill && flags & WILL_DETAILS)) return undefined
  const keepAliveSeconds = fields.number()
  const clientId = fields.text()
  const willTopic = hasWill ? fields.text() : undefined
  if (hasWill) fields.bytes()
  const username = flags & USERNAME ? fields.text() : undefined
  const key = flags & PASSWORD ? Buffer.from(fields.bytes()) : undefined
  return fields.isShort ? undefined : { clientId, keepAliveSeconds, willTopic, username, key }
}

/** @returns undefined where it breaks the protocol */
export function readSubscribe(firstByte: number, packet: Buffer): { packetId: number; filters: Filter[] } | undefined {
  const fields = new Fields(packet)
  const packetId = fields.number()
  const filters: Filter[] = []
  while (!fields.isAtEnd) filters.push({ topic: fields.text(), qos: fields.byte() })
  const areRight = filters.every(({ topic, qos }) => isFilter(topic) && qos <= HIGHEST_QOS)
  return isRequested(firstByte, fields, packetId, filters) && areRight ? { packetId, filters } : undefined
}

/** @returns undefined where it breaks the protocol */
export function readUnsubscribe(firstByte: number, packet: Buffer): { packetId: number; topics: string[] } | undefined {
  const fields = new Fields(packet)
  const packetId = fields.number()
  const topics: string[] = []
  while (!fields.isAtEnd) topics.push(fields.text())
  return isRequested(firstByte, fields, packetId, topics) && topics.every(isFilter) ? { packetId, topics } : undefined
}

function isRequested(firstByte: number, fields: Fields, packetId: number, asked: readonly unknown[]): boolean {
  return (firstByte & 0x0f) === ASKING_FLAGS && !fields.isShort && packetId > 0 && asked.length > 0
}

/** `+` stands alone in its level, and `#` alone in the last one (4.7.1). */
function isFilter(topic: string): boolean {
  const levels = topic.split('/')
  const last = levels.length - 1
  const isLevel = (level: string, index: number) =>
    level === '+' || (level === '#' && index === last) || !/[+#\0]/.test(level)
  return topic !== '' && levels.every(isLevel)
}

/** Reads the fields of a packet one after the other. What lies beyond its end is empty and sets `isShort`. */
class Fields {
  isShort = false
  readonly #packet: Buffer
  #at = 0

  constructor(packet: Buffer) {
    this.#packet = packet
  }

  get isAtEnd(): boolean {
    return this.isShort || this.#at === this.#packet.length
  }

  byte(): number {
    return this.#take(1)[0] ?? 0
  }

  number(): number {
    const taken = this.#take(2)
    return taken.length === 2 ? taken.readUInt16BE() : 0
  }

  bytes(): Buffer {
    return this.#take(this.number())
  }

  text(): string {
    return this.bytes().toString('utf8')
  }

  #take(length: number): Buffer {
    const taken = this.#packet.subarray(this.#at, this.#at + length)
    this.isShort ||= taken.length < length
    this.#at += taken.length
    return taken
  }
}
