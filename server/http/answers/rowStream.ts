import { Readable } from 'node:stream'

const CHUNK_CHARACTERS = 64 * 1024

export interface RowStreamDeps {
  readonly rows: AsyncIterable<unknown>
  /** Throws when these are not rows of the contract. Rows are not checked without it. */
  readonly checkRows?: ((rows: readonly unknown[]) => void) | undefined
  /** Makes each chunk in a place that is shared with other work. */
  readonly inPlaces?: (chunks: AsyncGenerator<string, void>) => AsyncGenerator<string, void>
  /** Is called once, however the answer ends, with the fault that came after it had begun. */
  readonly onEnd: (fault: unknown) => void
}

/**
 * Sends the rows as one JSON array, made as fast as the reader takes it: memory stays the same however many there are.
 * @throws what reading the first rows threw, while an ordinary refusal is still possible
 */
export function rowStream(deps: RowStreamDeps): Promise<Readable> {
  const chunks = jsonChunks(deps)
  return chunkStream(deps.inPlaces?.(chunks) ?? chunks, deps.onEnd)
}

/**
 * Sends chunks as fast as the reader takes them. A reader that leaves ends their making; a fault breaks the connection.
 * @param onEnd is called once, however the answer ends, with the fault that came after it had begun
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

/** `{ rowsJson }` holds rows that are JSON text already, with commas between them; anything else is one row. */
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
