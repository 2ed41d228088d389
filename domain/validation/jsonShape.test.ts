import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementShapes, jsonShape, keyGivenTwice } from './jsonShape.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const shapeOf = (text: string) => {
  const { keys, keysOfOne, depth } = jsonShape(bytesOf(text))
  return { keys, keysOfOne, depth }
}

test.each([
  ['{}', { keys: 0, keysOfOne: 0, depth: 1 }],
  ['7', { keys: 0, keysOfOne: 0, depth: 0 }],
  ['{"a":1,"b":{"c":2,"d":3,"e":[{}]}}', { keys: 5, keysOfOne: 3, depth: 4 }],
  ['[{"a":1},{"a":1,"b":2}]', { keys: 3, keysOfOne: 2, depth: 2 }],
  ['{"a:\\":{[":"}]:,\\\\"}', { keys: 1, keysOfOne: 1, depth: 1 }],
  [`${'['.repeat(1000)}${']'.repeat(1000)}`, { keys: 0, keysOfOne: 0, depth: 1000 }],
])('keys and nesting of %s are counted outside of its texts', (text, shape) => {
  expect(shapeOf(text)).toEqual(shape)
})

test('the elements of a list are told apart, and more than asked for are only counted', () => {
  const text = ' [ {"a":[1,2]} ,"],[", {"b":{"c":1}},4]'
  const { shapes, count } = elementShapes(bytesOf(text), 3)
  expect(count).toBe(4)
  expect(shapes.map(({ from, to }) => text.slice(from, to).trim())).toEqual(['{"a":[1,2]}', '"],["', '{"b":{"c":1}}'])
  expect(shapes.map(({ keys, depth }) => [keys, depth])).toEqual([
    [1, 2],
    [0, 0],
    [2, 2],
  ])
  expect(elementShapes(bytesOf('[ ]'), 3)).toEqual({ shapes: [], count: 0 })
  expect(elementShapes(bytesOf('{"a":[1,2]}'), 3).count).toBe(1)
})

test('a key given twice is found in its object only, however it is written', () => {
  const twice = (text: string) => keyGivenTwice(bytesOf(text))
  expect(twice('{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}')).toBeUndefined()
  expect(twice('{"a":1,"b":{"c":2,"d":[],"c":3}}')).toBe('c')
  expect(twice('[{"name":1},{"name":1,"n\\u0061me":2}]')).toBe('name')
})

test('of any document keys, nesting and elements are those that are there', () => {
  const keysIn = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce((sum: number, each) => sum + keysIn(each), 0) +
        (Array.isArray(value) ? 0 : Object.keys(value).length)
  const depthOf = (value: unknown): number =>
    typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf))
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const bytes = bytesOf(JSON.stringify(value, undefined, indent))
      expect(jsonShape(bytes)).toMatchObject({ keys: keysIn(value), depth: depthOf(value) })
      const { shapes, count } = elementShapes(bytes, 1000)
      const elements = Array.isArray(value) ? value : [value]
      expect(count).toBe(elements.length)
      const read = shapes.map(({ from, to }) => JSON.parse(new TextDecoder().decode(bytes.subarray(from, to))))
      expect(read).toEqual(elements.map((each) => JSON.parse(JSON.stringify(each))))
      expect(keyGivenTwice(bytes)).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})

test('no bytes whatsoever make it fail', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ a1') }).map(bytesOf),
  )
  fc.assert(
    fc.property(bytes, (text) => {
      jsonShape(text)
      elementShapes(text, 10)
    }),
    { numRuns: 1000 },
  )
})
