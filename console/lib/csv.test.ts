import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { messages } from './call/messages.ts'
import { collectCsv, csvNote, NothingToExport, writeCell, writeCsv } from './csv.ts'

/** It reads semicolon-separated, double-quoted files (RFC 4180), and is written independently of the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell: string | undefined
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (cell !== undefined) {
      if (character !== '"') cell += character
      else if (text[index + 1] === '"') {
        cell += '"'
        index++
      } else {
        rows.at(-1)?.push(cell)
        cell = undefined
      }
    } else if (character === '"') cell = ''
    else if (character === '\n') rows.push([])
  }
  return rows.slice(0, -1)
}

const TRIGGERS = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠']
const text = fc.oneof(
  fc.string(),
  fc.tuple(fc.constantFrom(...TRIGGERS, ';', '"', "'"), fc.string()).map((parts) => parts.join('')),
)
const unguarded = (cell: string) => (/^'[=+\-@\t\r\n\0＝＋－＠]/.test(cell) ? cell.slice(1) : cell)

test('a table that was written is read back as it was, up to the formula guard', () => {
  const tables = fc.array(fc.tuple(text, text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1 })
  fc.assert(
    fc.property(tables, (rows) => {
      const columns = [0, 1, 2].map((index) => ({
        header: `column ${index}`,
        cell: (row: (typeof rows)[number]) => row[index],
      }))
      const [, ...read] = readCsv(writeCsv(columns, rows))
      expect(read.map(([a = '', b = '', c]) => [unguarded(a), unguarded(b), Number(c)])).toEqual(
        rows.map(([a, b, c]) => [unguarded(a), unguarded(b), c + 0]),
      )
    }),
    { numRuns: 500 },
  )
})

test('no text cell begins with what a spreadsheet takes for a formula', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(TRIGGERS).not.toContain(writeCell(value)[1])
    }),
    { numRuns: 1_000 },
  )
})

test('a negative number stays a number', () => {
  expect(writeCell(-5)).toBe('"-5"')
  expect(writeCell('-5')).toBe('"\'-5"')
})

test.each([
  ['de-AT', '"-0,25"', 'decimals as 1,5'],
  ['en-GB', '"-0.25"', 'decimals as 1.5'],
  ['ar-EG', '"-0.25"', 'decimals as 1.5'],
])('numbers carry the decimal sign of %s, and the button says so', (language, written, noted) => {
  const reader = vi.spyOn(navigator, 'language', 'get').mockReturnValue(language)
  try {
    expect(writeCell(-0.25)).toBe(written)
    expect(writeCell('-0.25')).toBe('"\'-0.25"')
    expect(csvNote()).toMatch(new RegExp(`^Times in \\S+, ${noted}$`))
  } finally {
    reader.mockRestore()
  }
})

test('a date-time with seconds is written in the zone of the viewer, other texts stay', () => {
  const at = new Date(2026, 10, 20, 9, 5, 7)
  expect(writeCell(at.toISOString())).toBe('"20.11.26 09:05:07"')
  expect(writeCell('2026-11-20T09:05:07')).toBe('"20.11.26 09:05:07"')
  expect(writeCell('2026-11-20')).toBe('"2026-11-20"')
  expect(writeCell('2026-11-20 09:05')).toBe('"2026-11-20 09:05"')
})

test('what is unknown is an empty cell, never zero', () => {
  expect([null, undefined, Number.NaN].map(writeCell)).toEqual(['""', '""', '""'])
})

test('without columns or rows nothing is exported, and the operator is told why', () => {
  const columns = [{ header: 'a', cell: () => 1 }]
  expect(() => writeCsv(undefined, [1])).toThrow(new NothingToExport(messages.csvNoColumns))
  expect(() => writeCsv(columns, [])).toThrow(new NothingToExport(messages.csvNoRows))
})

async function* inBatches<Row>(...batches: readonly (readonly Row[])[]) {
  yield* batches
}

test('rows that arrive in batches become the same file, and their count is told on the way', async () => {
  const columns = [{ header: 'a', cell: (row: number) => row }]
  const counts: number[] = []
  const file = await collectCsv(columns, inBatches([1, 2], [], [3]), (count) => counts.push(count))
  expect(await file.text()).toBe(`\ufeff${writeCsv(columns, [1, 2, 3])}`)
  expect(counts).toEqual([2, 2, 3])
})

test('a file longer than one part is whole', async () => {
  const text = 'x'.repeat(3_000_000)
  const columns = [{ header: 'a', cell: (row: string) => row }]
  const file = await collectCsv(columns, inBatches([text], [text], ['end']), () => undefined)
  expect(await file.text()).toBe(`\ufeff${writeCsv(columns, [text, text, 'end'])}`)
})

test('batches without columns or rows are no file either', async () => {
  const columns = [{ header: 'a', cell: () => 1 }]
  const told = () => undefined
  await expect(collectCsv(undefined, inBatches([1]), told)).rejects.toEqual(new NothingToExport(messages.csvNoColumns))
  await expect(collectCsv(columns, inBatches([]), told)).rejects.toEqual(new NothingToExport(messages.csvNoRows))
})
