import { expect, test } from 'vitest'
import type { Call } from '#contract/call/call.ts'
import { DESCRIBED_CALLS } from '#contract/call/describedCalls.ts'
import { CALLS } from './table.ts'

const MODULES = import.meta.glob<object>(['./*.ts', './*/*.ts', '!./table.ts', '!./*.test.ts'], { eager: true })

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'path' in value && 'permission' in value && 'answer' in value

/** Returns every call that a file of the contract describes, alone or in a list. */
function describedCalls(): readonly Call[] {
  const exported = Object.values(MODULES).flatMap((module) => Object.values(module).flat())
  return [...new Set(exported.filter(isCall))]
}

const named = (calls: readonly Call[]) => calls.map(({ method, path }) => `${method} ${path}`).sort()

test('every call that the contract describes is in the table once, and so has a route', () => {
  expect(named(CALLS)).toEqual(named(describedCalls()))
})

test('no two calls share an address', () => {
  expect(new Set(CALLS.map(({ path }) => path.toLowerCase())).size).toBe(CALLS.length)
})

test('every described call is in the table', () => {
  const paths = new Set(CALLS.map(({ path }) => path))
  expect([...DESCRIBED_CALLS].filter((path) => !paths.has(path))).toEqual([])
})
