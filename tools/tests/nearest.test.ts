import { expect, test } from 'vitest'
import { readProject } from '../architecture/project.ts'
import { ROOT } from '../node24.mjs'
import { type Importers, importersOf, leftOutLine, nearestTests, withinBudget } from './nearest.ts'

const importers = (imports: Readonly<Record<string, readonly string[]>>): Importers => {
  const found = new Map<string, Set<string>>()
  for (const [path, imported] of Object.entries(imports)) {
    for (const each of imported) found.set(each, (found.get(each) ?? new Set()).add(path))
  }
  return found
}

const NONE = new Map<string, number>()

/** Every test of calls starts the list of all features, and so imports each of them. */
const product = importers({
  'server/features/roads/roads.ts': ['server/features/roads/roads.store.ts'],
  'server/app/features.ts': ['server/features/roads/roads.ts', 'server/features/lamps/lamps.ts'],
  'server/apiTest.ts': ['server/app/features.ts'],
  'server/features/roads/roads.test.ts': ['server/apiTest.ts'],
  'server/features/roads/closed.test.ts': ['server/apiTest.ts'],
  'server/features/lamps/lamps.test.ts': ['server/apiTest.ts'],
  'server/features/lamps/bulbs.test.ts': ['server/apiTest.ts'],
  'server/live/roads.test.ts': ['server/features/roads/roads.store.ts'],
  'server/live/roadWork.test.ts': ['server/features/roads/roads.ts'],
  'server/bulbs.test.ts': ['server/bulbs.ts'],
  'e2e/roads.test.ts': ['server/features/roads/roads.ts'],
})

test('tests that import what was edited come nearest first: its name, its folder, its importers, then the whole product', () => {
  const seconds = new Map([['server/features/lamps/lamps.test.ts', 9]])
  expect(nearestTests(product, ['server/features/roads/roads.store.ts'], seconds)).toEqual([
    'server/features/roads/roads.test.ts',
    'server/features/roads/closed.test.ts',
    'server/live/roads.test.ts',
    'server/live/roadWork.test.ts',
    'server/features/lamps/bulbs.test.ts',
    'server/features/lamps/lamps.test.ts',
  ])
})

test('an edited test comes before all others', () => {
  const order = nearestTests(product, ['server/features/roads/roads.ts', 'server/features/lamps/lamps.test.ts'], NONE)
  expect(order.slice(0, 3)).toEqual([
    'server/features/lamps/lamps.test.ts',
    'server/features/roads/roads.test.ts',
    'server/features/roads/closed.test.ts',
  ])
})

test('what no test imports has no tests', () => {
  expect(nearestTests(product, ['docs/guide/start.md', 'server/other.ts'], NONE)).toEqual([])
})

test('what fits into the time is run in its order; what is too long lets shorter ones pass, but the first always runs', () => {
  const seconds = new Map([
    ['server/a.test.ts', 1_000],
    ['server/c.test.ts', 900],
  ])
  const order = ['a', 'b', 'c', 'd'].map((name) => `server/${name}.test.ts`)
  expect(withinBudget(order, seconds)).toEqual({
    near: ['server/a.test.ts'],
    far: ['server/b.test.ts', 'server/c.test.ts', 'server/d.test.ts'],
  })
  expect(withinBudget(order.slice(1), seconds)).toEqual({
    near: ['server/b.test.ts', 'server/d.test.ts'],
    far: ['server/c.test.ts'],
  })
})

test('what is left out is told in one line, with how to run it', () => {
  const far = ['server/a.test.ts', 'console/b.test.tsx']
  const seconds = new Map([
    ['server/a.test.ts', 6],
    ['console/b.test.tsx', 8],
  ])
  expect(leftOutLine(far, seconds, 'npm test -- x.ts --all')).toBe(
    'NOT RUN: 2 test files farther from the edit (about 7 s). npm test -- x.ts --all runs them, too.',
  )
})

test('who imports whom is read from the project, without what is a type only, and with what the runner reads itself', () => {
  const project = importersOf(readProject(ROOT).modules)
  expect(nearestTests(project, ['tools/tests/counts.ts'], NONE)[0]).toBe('tools/tests/counts.test.ts')
  expect(project.get('tools/tests/arguments.ts')).toContain('tools/tests/chosen.test.ts')
  const afterSetUp = nearestTests(project, ['console/testing/emptyBrowser.ts'], NONE)
  expect(afterSetUp.length).toBeGreaterThan(90)
  expect(afterSetUp.every((file) => file.startsWith('console/'))).toBe(true)
})
