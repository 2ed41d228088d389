import type { Queryable } from '#server/db/transaction.ts'
import { CODINGS, type CodingName } from '#server/http/call/codings.ts'
import type { RawRowsQuestion } from '#server/telemetry/read/rawRows.ts'
import { exportRawRowsJson } from '#server/telemetry/read/rawRowsJson.ts'
import { readSeries, readSeriesByDevice, type SeriesQuestion } from '#server/telemetry/read/series.ts'
import { seriesColumnsJson, seriesRowsJson } from '#server/telemetry/read/seriesJson.ts'

/** What reads so much that it is done apart from everything else, as JSON. */
export const LONG_READS = {
  /** All stored reports of a period. */
  rawRows: (queryable: Queryable, question: RawRowsQuestion) => inBytes(listed(exportRawRowsJson(queryable, question))),
  seriesRows: (queryable: Queryable, { isGrouped, ...question }: SeriesQuestion & { readonly isGrouped: boolean }) =>
    inBytes(seriesRowsJson(readSeries(queryable, question).parts, { ...question, isGrouped })),
  seriesColumns: (queryable: Queryable, question: SeriesQuestion) =>
    inBytes(seriesColumnsJson(readSeriesByDevice(queryable, question).parts, question)),
}

export type LongRead = keyof typeof LONG_READS

/** The same for whoever asks: each begins when its first part is asked for, which is in the coding that was named. */
export type LongReads = {
  readonly [Name in LongRead]: (
    question: Parameters<(typeof LONG_READS)[Name]>[1],
    coding: CodingName | undefined,
  ) => AsyncGenerator<Uint8Array, void>
}

/** One JSON array; each part begins with its bracket or a comma, and the last ends it. */
async function* listed(pages: AsyncIterable<{ readonly rowsJson: string }>): AsyncGenerator<string, void> {
  let before = '['
  for await (const { rowsJson } of pages) {
    yield before + rowsJson
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Each text is written into memory of its own, which can be handed on to another thread. */
async function* inBytes(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) {
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    bytes.write(text)
    yield bytes
  }
}

/** Room for whatever a part comes to, so that none waits for a reader of another. */
const MOST_OF_PART_BYTES = 256 * 1024 * 1024

/** Each part as it is sent, before the next is begun. */
export async function* inCoding(
  parts: AsyncGenerator<Uint8Array, void>,
  name: CodingName,
): AsyncGenerator<Uint8Array, void> {
  const coder = CODINGS[name].stream({ readableHighWaterMark: MOST_OF_PART_BYTES })
  const written = (part: Uint8Array) =>
    new Promise<unknown>((resolve, reject) =>
      coder.write(part, (fault) => (fault ? reject(fault) : resolve(coder.read()))),
    )
  // A copy: the coder goes on writing where it wrote that.
  const own = (bytes: unknown) => new Uint8Array(bytes as Buffer)
  try {
    for await (const part of parts) {
      const bytes = await written(part)
      if (bytes !== null) yield own(bytes)
    }
    coder.end()
    for await (const bytes of coder) yield own(bytes)
  } finally {
    coder.destroy()
  }
}
