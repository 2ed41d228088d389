import { createSocket } from 'node:dgram'
import { onTestFinished } from 'vitest'

/** The differences of a card from one that answers everything as RFC 3416 says. */
export interface CardManners {
  /** It refuses a request as a whole when one of its objects is missing. */
  readonly refusesWhole?: true
  /** It refuses more objects than that at once. */
  readonly mostAtOnce?: number
  /** It does not answer larger requests at all. */
  readonly isSilentToMore?: true
  readonly isVersion1?: true
}

const INTEGER = 0x02
const OCTETS = 0x04
const OID = 0x06
const SEQUENCE = 0x30
const RESPONSE = 0xa2
const NO_SUCH_INSTANCE = 0x81
const NULL = 0x05
const [TOO_BIG, NO_SUCH_NAME, GENERAL_ERROR] = [1, 2, 5]

function coded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return coded(INTEGER, bytes)
}

/** Splits a sequence into its parts, each with its type and its raw bytes. */
function partsOf(bytes: Buffer) {
  const parts: { readonly body: Buffer; readonly whole: Buffer }[] = []
  for (let at = 0; at < bytes.length; ) {
    let length = bytes[at + 1] ?? 0
    let from = at + 2
    if (length & 128) {
      const count = length & 127
      length = bytes.readUIntBE(from, count)
      from += count
    }
    parts.push({ body: bytes.subarray(from, from + length), whole: bytes.subarray(at, from + length) })
    at = from + length
  }
  return parts
}

function oidOf(body: Buffer): string {
  const numbers = [Math.floor((body[0] ?? 0) / 40), (body[0] ?? 0) % 40]
  let value = 0
  for (const byte of body.subarray(1)) {
    value = value * 128 + (byte & 127)
    if (byte < 128) {
      numbers.push(value)
      value = 0
    }
  }
  return numbers.join('.')
}

/** Starts a UPS card with these objects, numbers or texts, on its own port. It ends with the test. */
export async function startSnmpCard(objects: Readonly<Record<string, number | string>>, manners: CardManners = {}) {
  /** Records the version of each request and how many objects it asked for. */
  const asked: { readonly version: number; readonly objects: number }[] = []
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.on('message', (bytes, { port, address }) => {
    const [version, community, pdu] = partsOf(partsOf(bytes)[0]?.body ?? bytes)
    const [requestId, , , list] = partsOf(pdu?.body ?? bytes)
    const names = partsOf(list?.body ?? bytes).map(({ body }) => partsOf(body)[0])
    const versionNumber = version?.body[0] ?? 0
    asked.push({ version: versionNumber, objects: names.length })
    const isTooBig = names.length > (manners.mostAtOnce ?? Number.POSITIVE_INFINITY)
    if ((manners.isVersion1 && versionNumber !== 0) || (isTooBig && manners.isSilentToMore)) return
    const missing = names.findIndex((name) => !name || objects[oidOf(name.body)] === undefined)
    const isRefused = missing >= 0 && (manners.refusesWhole || versionNumber === 0)
    const error = isTooBig ? TOO_BIG : isRefused ? (versionNumber === 0 ? NO_SUCH_NAME : GENERAL_ERROR) : 0
    const values = names.map((name) => {
      const value = name && objects[oidOf(name.body)]
      const told = typeof value === 'string' ? coded(OCTETS, Buffer.from(value)) : integer(value ?? 0)
      const content = error > 0 ? coded(NULL) : value === undefined ? coded(NO_SUCH_INSTANCE) : told
      return coded(SEQUENCE, coded(OID, name?.body ?? Buffer.alloc(0)), content)
    })
    const answer = coded(
      RESPONSE,
      requestId?.whole ?? integer(0),
      integer(error),
      integer(error === TOO_BIG ? 0 : isRefused ? missing + 1 : 0),
      coded(SEQUENCE, ...(error === TOO_BIG ? [] : values)),
    )
    const head = [version?.whole ?? integer(0), community?.whole ?? coded(OCTETS)]
    socket.send(coded(SEQUENCE, ...head, answer), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return { asked, options: { host: '127.0.0.1', port: socket.address().port, community: 'public', profile: 'ups' } }
}
