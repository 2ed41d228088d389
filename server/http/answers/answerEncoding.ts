import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Call } from '#contract/call/call.ts'
import { CODINGS, type Coding, type CodingName } from '../call/codings.ts'

/** Shorter ones are sent in one packet or two, whatever is done to them. */
const WORTH_BYTES = 2_048
/** Compressed within a fraction of a millisecond; what is longer is left to another thread. */
const MOST_AT_ONCE_BYTES = 65_536

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
export async function encoded<Answer extends string | Readable>(
  reply: FastifyReply,
  answer: Answer,
): Promise<Answer | Buffer | Readable> {
  const isStream = answer instanceof Readable
  if (!isStream && Buffer.byteLength(answer) < WORTH_BYTES) return answer
  const name = bestCoding(reply.request.headers['accept-encoding'])
  sayCoding(reply, name)
  if (name === undefined) return answer
  const coding = CODINGS[name]
  return isStream ? through(answer, coding) : compressed(Buffer.from(answer), coding)
}

/** That this asker gets it in this coding, and another one perhaps otherwise. */
export function sayCoding(reply: FastifyReply, name: CodingName | undefined): void {
  reply.header('vary', 'accept-encoding')
  if (name !== undefined) reply.header('content-encoding', name)
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
export function bestCoding(header: string | string[] | undefined): CodingName | undefined {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map(readWeight),
  )
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  let best: { readonly name: CodingName | undefined; readonly weight: number } = {
    name: undefined,
    weight: weights.get('identity') ?? 0,
  }
  for (const name of Object.keys(CODINGS) as CodingName[]) {
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
