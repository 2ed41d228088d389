import { expect, test } from 'vitest'
import { z } from 'zod'
import { askedPage, readPage, readPageKey } from './pages.ts'

const numberKey = z.strictObject({ number: z.int() })

async function pagesOf(count: number, pageSize: number): Promise<readonly (readonly number[])[]> {
  const stored = Array.from({ length: count }, (_, index) => ({ number: index + 1 }))
  const pages: number[][] = []
  let next: string | null | undefined
  do {
    const page = await readPage(
      askedPage({ pageSize, ...(next ? { next } : {}) }, 100, (text) => readPageKey(text, numberKey)),
      async ({ after, skip, size }) => stored.slice(after?.number ?? skip).slice(0, size),
      (row) => row,
    )
    pages.push(page.rows.map(({ number }) => number))
    next = page.next
  } while (next)
  return pages
}

test('pages lead to every row once, and the last one nowhere, also where it is full', async () => {
  expect(await pagesOf(5, 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(await pagesOf(4, 2)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(await pagesOf(0, 2)).toEqual([[]])
})
