import type { Queryable } from '#server/db/transaction.ts'
import { CODINGS, type CodingName } from '#server/http/call/codings.ts'
import type { RawRowsQuestion } from '#server/telemetry/read/rawRows.ts'
import { exportRawRowsJson } from '#server/telemetry/read/rawRowsJson.ts'
import { readSeries, readSeriesByDevice, type SeriesQuestion } from '#server/telemetry/read/series.ts'
import { seriesColumnsJson, seriesRowsJson } from '#server/telemetry/read/seriesJson.ts'

/** The reads so large that they run apart from everything else, as JSON. */
export const LONG_READS = {
  rawRows: (queryable: Queryable, question: RawRowsQuestion) => inBytes(listed(exportRawRowsJson(queryable, question))),
  seriesRows: (queryable: Queryable, { isGrouped, ...question }: SeriesQuestion & { readonly isGrouped: boolean }) =>
    inBytes(seriesRowsJson(readSeries(queryable, question).parts, { ...question, isGrouped })),
  seriesColumns: (queryable: Queryable, question: SeriesQuestion) =>
    inBytes(seriesColumnsJson(readSeriesByDevice(queryable, question).parts, question)),
}

export type LongRead = keyof typeof LONG_READS

/** A read begins when its first part is asked for, and its parts are in the named coding. */
export type LongReads = {
  readonly [Name in LongRead]: (
    question: Parameters<(typeof LONG_READS)[Name]>[1],
    coding: CodingName | undefined,
  ) => AsyncGenerator<Uint8Array, void>
}

/** Writes one JSON array. Each part begins with the bracket or a comma, and the last one closes it. */
async function* listed(pages: AsyncIterable<{ readonly rowsJson: string }>): AsyncGenerator<string, void> {
  let before = '['
  for await (const { rowsJson } of pages) {
    yield before + rowsJson
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Writes each text into its own memory, which can be transferred to another thread. */
async function* inBytes(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) {
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
    bytes.write(text)
    yield bytes
  }
}

/** The buffer has room for the largest part, so that no part waits for the reader of another. */
const MOST_OF_PART_BYTES = 256 * 1024 * 1024

/** Encodes each part before the next one begins, so that parts are sent as they come. */
export async function* inCoding(
  parts: AsyncGenerator<Uint8Array, void>,
  name: CodingName,
): AsyncGenerator<Uint8Array, void> {
  const coder = CODINGS[name].stream({ readableHighWaterMark: MOST_OF_PART_BYTES })
  const written = (part: Uint8Array) =>
    new Promise<unknown>((resolve, reject) =>
      coder.write(part, (fault) => (fault ? reject(fault) : resolve(coder.read()))),
    )
  // The bytes are copied, because the coder goes on writing in the same memory.
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
