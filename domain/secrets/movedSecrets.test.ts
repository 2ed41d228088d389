import { expect, test } from 'vitest'
import { destinationOf, secretToGiveAnew } from './movedSecrets.ts'

test.each([
  ['https://a.example/hook', 'https://A.example:443/hook/', true],
  ['http://a.example', 'http://a.example:80/', true],
  ['https://a.example', 'https://a.example:80', false],
  ['https://a.example/hook?token=1', 'https://a.example/hook?token=2', true],
  ['https://a.example', 'http://a.example', false],
  ['https://a.example', 'https://a.example:8443', false],
  ['https://a.example', 'https://b.example', false],
  ['https://a.example', 'https://a.example.b.example', false],
  ['https://a.example/one', 'https://a.example/two', false],
  ['https://a.example/one', 'https://a.example/One', false],
] as const)('%s and %s are the same destination: %s', (one, other, isSame) => {
  expect(destinationOf(one) === destinationOf(other)).toBe(isSame)
})

test('what is kept is given anew exactly when its destination is another one', () => {
  const move = { from: 'https://a.example', to: 'https://b.example', kept: ['secret', 'password'], given: ['secret'] }
  expect(secretToGiveAnew(move)).toBe('password')
  expect(secretToGiveAnew({ ...move, to: move.from })).toBeUndefined()
  expect(secretToGiveAnew({ ...move, given: ['secret', 'password'] })).toBeUndefined()
  expect(secretToGiveAnew({ ...move, kept: [] })).toBeUndefined()
})
