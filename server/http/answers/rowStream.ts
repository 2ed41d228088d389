import { Readable } from 'node:stream'

const CHUNK_CHARACTERS = 64 * 1024

export interface RowStreamDeps {
  readonly rows: AsyncIterable<unknown>
  /** @throws when these are not rows of the contract; absent: they are not looked at */
  readonly checkRows?: ((rows: readonly unknown[]) => void) | undefined
  /** How the making of chunks shares places with other work; absent: it does not. */
  readonly inPlaces?: (chunks: AsyncGenerator<string, void>) => AsyncGenerator<string, void>
  /** Once, however it ends; with what went wrong after the answer had begun. */
  readonly onEnd: (fault: unknown) => void
}

/**
 * The rows as the text of one JSON array, made as fast as the reader takes it: memory stays the same however many
 * there are.
 *
 * @throws what reading the first rows threw, while an ordinary refusal is still possible
 */
export function rowStream(deps: RowStreamDeps): Promise<Readable> {
  const chunks = jsonChunks(deps)
  return chunkStream(deps.inPlaces?.(chunks) ?? chunks, deps.onEnd)
}

/**
 * Chunks of an answer, made as fast as the reader takes them. A reader that leaves ends their making; a fault breaks the
 * connection.
 *
 * @param onEnd once, however it ends; with what went wrong after the answer had begun
 * @throws what making the first chunk threw, while an ordinary refusal is still possible
 */
export async function chunkStream<Chunk extends string | Uint8Array>(
  chunks: AsyncGenerator<Chunk, void>,
  onEnd: (fault: unknown) => void,
): Promise<Readable> {
  const first = await chunks.next().catch((error: unknown) => {
    onEnd(undefined)
    throw error
  })
  let fault: unknown
  async function* all() {
    try {
      if (!first.done) yield first.value
      yield* chunks
    } catch (error) {
      fault = error
      throw error
    }
  }
  return Readable.from(all(), { objectMode: false, highWaterMark: CHUNK_CHARACTERS })
    .on('error', () => undefined)
    .once('close', () => {
      void chunks.return(undefined)
      onEnd(fault)
    })
}

/** Rows that were written as JSON text already, with commas between: `{ rowsJson }`; anything else is one row. */
function jsonOf(row: unknown): string {
  const { rowsJson } = row as { rowsJson?: unknown }
  return typeof rowsJson === 'string' ? rowsJson : JSON.stringify(row)
}

async function* jsonChunks({ rows, checkRows }: RowStreamDeps): AsyncGenerator<string, void> {
  let text = '['
  let isFirst = true
  for await (const row of rows) {
    const json = jsonOf(row)
    checkRows?.(JSON.parse(`[${json}]`))
    text += isFirst ? json : `,${json}`
    isFirst = false
    if (text.length < CHUNK_CHARACTERS) continue
    yield text
    text = ''
  }
  yield `${text}]`
}
