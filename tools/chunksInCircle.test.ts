import { expect, test } from 'vitest'
import { findCircle } from './chunksInCircle.ts'

test('a circle of scripts is found behind others, and scripts that share one make none', () => {
  const shared = new Map([
    ['first', ['left', 'right']],
    ['left', ['shared']],
    ['right', ['shared']],
    ['shared', []],
  ])
  expect(findCircle(shared)).toBeUndefined()
  expect(findCircle(new Map([...shared, ['shared', ['far']], ['far', ['right']]]))).toEqual(['shared', 'far', 'right'])
  expect(findCircle(new Map([['alone', ['alone']]]))).toEqual(['alone'])
})
