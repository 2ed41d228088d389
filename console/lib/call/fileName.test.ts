import { expect, test } from 'vitest'
import { fileNameOf } from './fileName.ts'

test('the encoded name wins over the plain one', () => {
  expect(fileNameOf(`attachment; filename="Praha.json"; filename*=UTF-8''Praha%20%C3%A1.json`)).toBe('Praha á.json')
})

test('a plain name may be quoted or not, with escapes', () => {
  expect(fileNameOf('attachment; filename="a \\"b\\".json"')).toBe('a "b".json')
  expect(fileNameOf('attachment; filename=a.json')).toBe('a.json')
})

test('a name never leads into a folder', () => {
  expect(fileNameOf('attachment; filename="../../etc/passwd"')).toBe('passwd')
  expect(fileNameOf(`attachment; filename*=UTF-8''..%2F..%2Fa.json`)).toBe('a.json')
  expect(fileNameOf('attachment; filename=".."')).toBeUndefined()
})

test('without a usable name there is none', () => {
  expect(fileNameOf(null)).toBeUndefined()
  expect(fileNameOf('attachment')).toBeUndefined()
  expect(fileNameOf(`attachment; filename*=UTF-8''%E0%A4%A`)).toBeUndefined()
})
