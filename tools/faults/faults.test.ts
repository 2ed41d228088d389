import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../node24.mjs'
import { FAULT_LISTS, FAULTS } from './faults.ts'
import type { Fault, Finder } from './lists/fault.ts'
import { occurrences, plant } from './plant.ts'

test('the text of each fault stands in its file exactly once', () => {
  const wrong = FAULTS.filter((fault) => occurrences(ROOT, fault) !== 1)
  expect(wrong.map(({ name, file }) => `${file}: ${name}`)).toEqual([])
})

test('each fault has a name of its own, changes something, and says which tests find it', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
  expect(FAULTS.filter(({ replace, by, foundBy }) => replace === by || foundBy.length === 0)).toEqual([])
})

test('a fault stands in the list of the folder of its file', () => {
  const folders = Object.keys(FAULT_LISTS).sort((a, b) => b.length - a.length)
  const wrong = Object.entries(FAULT_LISTS).flatMap(([folder, faults]) =>
    faults.filter(({ file }) => folders.find((each) => file.startsWith(`${each}/`)) !== folder),
  )
  expect(wrong.map(({ name, file }) => `${file}: ${name}`)).toEqual([])
})

test('the tests that find a fault are there, with their titles', () => {
  const gone = FAULTS.flatMap(({ name, foundBy }) => foundBy.filter((finder) => !isThere(finder)).map(() => name))
  expect(gone).toEqual([])
})

/** A title may be put together: up to the first comma it stands in the file, or it is the path of a call. */
function isThere(finder: Finder): boolean {
  if (typeof finder === 'string') return existsSync(join(ROOT, finder))
  if ('campaign' in finder) return textOf('trials/campaign/main.ts').includes(camelCase(finder.campaign))
  if (!existsSync(join(ROOT, finder.file))) return false
  const [words = ''] = finder.title.split(',', 1)
  return isCall(finder.title) || textOf(finder.file).includes(words)
}

const isCall = (title: string) => /^[A-Z]\w+\/[A-Z]\w+$/.test(title)
const camelCase = (name: string) => name.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('a fault is planted as it is written and taken out again, and one whose text is gone or stands twice is refused', () => {
  const root = mkdtempSync(join(tmpdir(), 'wayside-plant-'))
  const file = join(root, 'limit.ts')
  const fault: Fault = {
    name: 'Late',
    file: 'limit.ts',
    replace: 'a < $1',
    by: "a <= $1 // $& $'",
    foundBy: ['x.test.ts'],
  }
  try {
    writeFileSync(file, 'if (a < $1) return\n')
    const takeOut = plant(root, fault)
    expect(readFileSync(file, 'utf8')).toBe("if (a <= $1 // $& $') return\n")
    takeOut()
    expect(readFileSync(file, 'utf8')).toBe('if (a < $1) return\n')
    for (const text of ['', 'a < $1 || a < $1']) {
      writeFileSync(file, text)
      expect(() => plant(root, fault)).toThrow(/^"Late": its text stands [02] times in limit\.ts/)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
