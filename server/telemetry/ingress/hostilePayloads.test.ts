import { expect, test } from 'vitest'
import { BARE_TOKENS, parseText } from './payloadJson.ts'

test('a text that is not closed is one token to the end, so that no other begins at its quotes', () => {
  for (const hostile of [
    `"${'a\\"'.repeat(10_000)}`,
    '\\"'.repeat(10_000),
    `"${'\\\n'.repeat(10_000)}`,
    `"${'\\'.repeat(9_999)}`,
  ]) {
    const found = [...hostile.matchAll(BARE_TOKENS)]
    expect(found).toHaveLength(1)
    expect(found[0]?.[0].length).toBe(hostile.length - hostile.indexOf('"'))
    expect(() => parseText(Buffer.from(hostile))).toThrow()
  }
})

test('what is no number is still found behind a text with quotes', () => {
  expect(parseText(Buffer.from('{"na\\"n": NaN, "b": -Infinity, "c": "nan"}'))).toEqual({
    'na"n': Number.POSITIVE_INFINITY,
    b: Number.POSITIVE_INFINITY,
    c: 'nan',
  })
})
