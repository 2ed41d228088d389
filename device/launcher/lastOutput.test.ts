import { expect, test } from 'vitest'
import { createLastOutput } from './lastOutput.ts'

function wordsAfter(...chunks: readonly string[]): string {
  const words = createLastOutput()
  for (const chunk of chunks) words.hear(chunk)
  return words.tell()
}

test('the last line counts, without its time, however it was cut into pieces', () => {
  expect(wordsAfter()).toBe('')
  expect(
    wordsAfter('2026-11-21T10:00:00.000Z Started, client 1.0.1.\n2026-11-21T10:00:05.000Z No conn', 'ection.\n\n'),
  ).toBe('No connection.')
  expect(wordsAfter('first\nlast without an end')).toBe('last without an end')
})

test('of a crash the error counts, not the stack and the version below it', () => {
  const crash = `file:///client/files/1.0.1.mjs:2
this is no program
     ^^

SyntaxError: Unexpected identifier 'is'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)

Node.js v24.21.0
`
  expect(wordsAfter('2026-11-21T10:00:00.000Z Connected.\n', crash)).toBe("SyntaxError: Unexpected identifier 'is'")
})

test('where the memory ran out that counts, not the addresses below it', () => {
  const crash = `
<--- Last few GCs --->

[815:0x55d0] 412 ms: Mark-Compact 39.5 (42.1) -> 39.1 (42.4) MB

FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0x7a1b2c node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
`
  expect(wordsAfter(crash)).toBe(
    'FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory',
  )
})

test('it stays short, whatever is said', () => {
  expect(wordsAfter('x'.repeat(50_000))).toHaveLength(300)
  expect(wordsAfter(...new Array(1000).fill('never an end '))).toHaveLength(300)
})
