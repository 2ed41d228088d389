import { expect, test } from 'vitest'
import { withoutEnd } from './withoutEnd.ts'

test('only what stands at the end goes', () => {
  expect(withoutEnd('https://a.example//', '/')).toBe('https://a.example')
  expect(withoutEnd('what now?!', '?!')).toBe('what now')
  expect([withoutEnd('', '/'), withoutEnd('///', '/'), withoutEnd('a/b', '/')]).toEqual(['', '', 'a/b'])
})

test('each sign is looked at once, wherever it stands', () => {
  let looked = 0
  const includes = (sign: string) => {
    looked++
    return sign === '/'
  }
  const signs = { includes } as unknown as string
  const hostile = `${'/'.repeat(1000)}x${'/'.repeat(1000)}`
  expect(withoutEnd(hostile, signs)).toHaveLength(1001)
  expect(looked).toBe(1001)
})
