import { expect, test } from 'vitest'
import { SilentConnections } from './SilentConnections.ts'

function setup() {
  const ended: string[] = []
  const silent = new SilentConnections<{ readonly name: string }>(10_000, ({ name }) => void ended.push(name))
  const add = (name: string, limitKey: string, nowMs = 0) => {
    const connection = { name }
    silent.add(connection, limitKey, nowMs)
    return connection
  }
  return { ended, silent, add }
}

test('a thousand of one address may be silent, and the next one ends the oldest of that address alone', () => {
  const { ended, silent, add } = setup()
  add('elsewhere', 'other')
  const first = add('0', 'address')
  for (let n = 1; n < 1000; n++) add(String(n), 'address')
  expect(ended).toEqual([])
  silent.remove(first)
  add('1000', 'address')
  expect(ended).toEqual([])
  add('1001', 'address')
  expect(ended).toEqual(['1'])
})

test('of all addresses together five thousand may be silent', () => {
  const { ended, add } = setup()
  for (let n = 0; n < 5002; n++) add(String(n), `address ${n}`)
  expect(ended).toEqual(['0', '1'])
})

test('whoever is silent for too long is ended, and nobody who spoke', () => {
  const { ended, silent, add } = setup()
  add('silent', 'address', 0)
  silent.remove(add('spoke', 'address', 0))
  add('new', 'address', 5_000)
  silent.sweep(10_001)
  expect(ended).toEqual(['silent'])
})
