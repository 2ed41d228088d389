import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { readJsonRows } from './rowStream.ts'

function streamOf(chunks: readonly Uint8Array[], failure?: unknown): ReadableStream<Uint8Array> {
  const waiting = [...chunks]
  return new ReadableStream({
    pull(controller) {
      const chunk = waiting.shift()
      if (chunk) controller.enqueue(chunk)
      else if (failure === undefined) controller.close()
      else controller.error(failure)
    },
  })
}

/** It cuts the bytes of a text at these places, even within a character. */
function cutAt(text: string, places: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const ends = [...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
}

async function rowsOf(chunks: readonly Uint8Array[], failure?: unknown): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const batch of readJsonRows(streamOf(chunks, failure))) rows.push(...batch)
  return rows
}
const whole = (text: string) => rowsOf([new TextEncoder().encode(text)])

test('the rows are the same however the network cuts the text, even within a character', async () => {
  const record = fc.dictionary(fc.string(), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(fc.array(record), fc.array(fc.nat()), fc.constantFrom(0, 1), async (rows, places, indent) => {
      const text = JSON.stringify(rows, null, indent)
      expect(await rowsOf(cutAt(text, places))).toEqual(JSON.parse(text))
    }),
    { numRuns: 300 },
  )
})

test('brackets, quotes, commas and backslashes in texts are only text', async () => {
  const rows = ['}', '{', ']', '[', '"', '\\', '\\"', '"}],[{"', 'ž€😀', '\u2028'].map((msg) => ({ msg }))
  const text = JSON.stringify(rows)
  const bytes = new TextEncoder().encode(text)
  expect(await rowsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(rows)
})

test('an empty list has no rows', async () => {
  expect(await whole('[]')).toEqual([])
})

test('rows are handed on as they arrive, not at the end', async () => {
  const batches = readJsonRows(streamOf(cutAt('[{"a":1},{"a":2},{"a":3}]', [10, 20])))
  expect((await batches.next()).value).toEqual([{ a: 1 }])
  expect((await batches.next()).value).toEqual([{ a: 2 }])
})

test.each(['', '[', '[{"a":1}', '[{"a":1},', '[{"a":1},{"a":', '[{"a":"]'])(
  'a list that breaks off as %j fails, so that half is never taken for the whole',
  async (text) => {
    await expect(whole(text)).rejects.toBeInstanceOf(CallFailed)
  },
)

test('a connection that breaks is told in the words of a lost network', async () => {
  const broken = rowsOf(cutAt('[{"a":1},{"a"', []), new TypeError('terminated'))
  await expect(broken).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('cannot be reached') })
})

test('who stops reading ends the stream', async () => {
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('[{"a":1},')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const rows of readJsonRows(stream)) if (rows.length > 0) break
  expect(isCancelled).toBe(true)
})
