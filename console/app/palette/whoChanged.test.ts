import { expect, test } from 'vitest'
import { readWhoChanged } from './whoChanged.ts'

test.each([
  ['who changed brightness', 'brightness'],
  ['Who has changed the off times?', 'off times'],
  ['  who set gamma ', 'gamma'],
  ['who changed', undefined],
  ['who', undefined],
  ['brightness', undefined],
  ['known who changed brightness', undefined],
])('%s', (typed, changed) => expect(readWhoChanged(typed)).toBe(changed))
