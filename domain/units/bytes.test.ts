import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1_234_567, '1.23 MB'],
  [345_678_900, '346 MB'],
  [12_000_000_000_000, '12,000 GB'],
])('%i bytes are written as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
