import { Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { Call } from '#contract/call/call.ts'

/** Shorter ones are sent in one packet or two, whatever is done to them. */
const WORTH_BYTES = 2_048
/** Compressed within a fraction of a millisecond; what is longer is left to another thread. */
const MOST_AT_ONCE_BYTES = 65_536

interface Coding {
  readonly atOnce: (plain: Buffer) => Buffer
  readonly apart: (plain: Buffer) => Promise<Buffer>
  /** Sends on what it was given without waiting for more. */
  readonly stream: () => Transform
}

// The lowest levels: higher ones cost several times as much processor for a few per cent of bytes.
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const GZIP = { level: 1 }

/** The best first. */
const CODINGS: Readonly<Record<string, Coding>> = {
  zstd: {
    atOnce: (plain) => zstdCompressSync(plain, ZSTD),
    apart: (plain) => promisify(zstdCompress)(plain, ZSTD),
    stream: () => createZstdCompress({ ...ZSTD, flush: constants.ZSTD_e_flush }),
  },
  br: {
    atOnce: (plain) => brotliCompressSync(plain, BROTLI),
    apart: (plain) => promisify(brotliCompress)(plain, BROTLI),
    stream: () => createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  },
  gzip: {
    atOnce: (plain) => gzipSync(plain, GZIP),
    apart: (plain) => promisify(gzip)(plain, GZIP),
    stream: () => createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH }),
  },
}

/**
 * Whether answers of a call may be compressed. How well something is compressed tells about what stands in it, so nothing
 * is that may hold a secret: keys and tokens are given out by calls that change something, or say that they do.
 */
export const mayBeCompressed = ({
  changes,
  permission,
  givesSecret = false,
}: Pick<Call, 'changes' | 'permission' | 'givesSecret'>): boolean =>
  changes === undefined && permission !== 'public' && !givesSecret

/** An answer as it goes out to this asker: shorter where that is worth its time. Says so in the headers of the reply. */
export async function encoded<Answer extends string | Buffer | Readable>(
  reply: FastifyReply,
  answer: Answer,
): Promise<Answer | Buffer | Readable> {
  const isStream = answer instanceof Readable
  if (!isStream && Buffer.byteLength(answer) < WORTH_BYTES) return answer
  reply.header('vary', 'accept-encoding')
  const name = bestCoding(reply.request.headers['accept-encoding'])
  const coding = name === undefined ? undefined : CODINGS[name]
  if (!coding) return answer
  const shorter = isStream ? through(answer, coding) : await compressed(Buffer.from(answer as string), coding)
  reply.header('content-encoding', name)
  return shorter
}

const compressed = (plain: Buffer, { atOnce, apart }: Coding) =>
  plain.byteLength > MOST_AT_ONCE_BYTES ? apart(plain) : atOnce(plain)

/** A fault of the answer breaks what is sent; a reader that leaves is the end of the answer, and no fault of it. */
function through(answer: Readable, { stream }: Coding): Readable {
  const sent = stream()
  answer.once('error', (fault) => sent.destroy(fault))
  sent.once('close', () => answer.destroy())
  return answer.pipe(sent)
}

/** What an asker likes best of what there is (RFC 9110, 12.5.3); undefined: plain. */
function bestCoding(header: string | string[] | undefined): string | undefined {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map(readWeight),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  let best: { readonly name: string | undefined; readonly weight: number } = {
    name: undefined,
    weight: weights.get('identity') ?? 0,
  }
  for (const name of Object.keys(CODINGS)) {
    const weight = weightOf(name)
    const isBetter = best.name === undefined ? weight > 0 && weight >= best.weight : weight > best.weight
    if (isBetter) best = { name, weight }
  }
  return best.name
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

function readWeight(text: string): readonly [string, number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  const [weight] = parameters.flatMap((parameter) => WEIGHT.exec(parameter)?.[1] ?? [])
  return [name, weight === undefined ? 1 : Number(weight)]
}
