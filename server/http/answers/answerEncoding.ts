import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Call } from '#contract/call/call.ts'
import { CODINGS, type Coding, type CodingName } from '../call/codings.ts'

/** A shorter answer fits into one packet or two anyway, so compressing it gains nothing. */
const WORTH_BYTES = 2_048
/**
 * An answer up to this size is compressed within a fraction of a millisecond; a longer one would block this thread and
 * is compressed by another.
 */
const MOST_AT_ONCE_BYTES = 65_536

/**
 * Tells whether answers of a call may be compressed. The size of a compressed answer reveals something about its
 * content, so an answer that may hold a secret is never compressed: those belong to calls that change something or that
 * declare `givesSecret`.
 */
export const mayBeCompressed = ({
  changes,
  permission,
  givesSecret = false,
}: Pick<Call, 'changes' | 'permission' | 'givesSecret'>): boolean =>
  changes === undefined && permission !== 'public' && !givesSecret

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

/** Declares the coding of this answer. `vary` keeps caches from giving it to a client that accepts another coding. */
export function sayCoding(reply: FastifyReply, name: CodingName | undefined): void {
  reply.header('vary', 'accept-encoding')
  if (name !== undefined) reply.header('content-encoding', name)
}

const compressed = (plain: Buffer, { atOnce, apart }: Coding) =>
  plain.byteLength > MOST_AT_ONCE_BYTES ? apart(plain) : atOnce(plain)

/**
 * A failing answer must break the connection, or the reader takes a part for the whole; a reader that leaves only ends
 * the answer.
 */
function through(answer: Readable, { stream }: Coding): Readable {
  const sent = stream()
  answer.once('error', (fault) => sent.destroy(fault))
  sent.once('close', () => answer.destroy())
  return answer.pipe(sent)
}

/**
 * Chooses the coding that the client prefers (RFC 9110, 12.5.3).
 * @returns undefined when the answer has to be sent plain
 */
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
