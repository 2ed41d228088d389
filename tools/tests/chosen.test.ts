import { expect, test } from 'vitest'
import { ROOT } from '../node24.mjs'
import { readArguments } from './arguments.ts'
import { sortPaths, watchEdits } from './chosen.ts'

test('paths go to the runner that takes them', () => {
  const asked = ['e2e/devices/status.test.ts', 'tools/tests', 'tools/tests/counts.test.ts', 'tools/tests/counts.ts']
  expect(sortPaths(asked, ROOT)).toEqual({
    browser: ['e2e/devices/status.test.ts'],
    tests: ['tools/tests', 'tools/tests/counts.test.ts'],
    sources: ['tools/tests/counts.ts'],
  })
})

test('a path counts from where one stands, or from the project', () => {
  const fromFolder = (path: string) => sortPaths([path], `${ROOT}tools/tests`).sources
  expect(fromFolder('counts.ts')).toEqual(['tools/tests/counts.ts'])
  expect(fromFolder('tools/tests/counts.ts')).toEqual(['tools/tests/counts.ts'])
})

test('a folder of journeys is tried by its own, and what journeys share by all of them', () => {
  expect(sortPaths(['e2e/insight'], ROOT).browser.length).toBeGreaterThan(2)
  expect(sortPaths(['e2e/insight'], ROOT).browser.filter((path) => !path.startsWith('e2e/insight/'))).toEqual([])
  expect(sortPaths(['e2e/support/axe.ts'], ROOT).browser).toEqual(sortPaths(['e2e'], ROOT).browser)
  expect(sortPaths(['e2e'], ROOT).browser.length).toBeGreaterThan(10)
})

test('a path without a file is named', () => {
  expect(() => sortPaths(['server/http/nothing.test.ts'], ROOT)).toThrow('"server/http/nothing.test.ts"')
})

test('what changed counts from the last commit, or from one that is named', () => {
  expect(readArguments(['--changed'])).toMatchObject({ changedSince: 'HEAD', paths: [] })
  expect(readArguments(['--changed=origin/main'])).toMatchObject({ changedSince: 'origin/main' })
})

test('edits are watched for all tests or for those of a path, and not for the browser', async () => {
  expect(readArguments(['--watch'])).toMatchObject({ watches: true, paths: [] })
  expect(readArguments(['tools/tests', '--watch'])).toMatchObject({ watches: true, paths: ['tools/tests'] })
  await expect(
    watchEdits({ paths: ['e2e/devices/status.test.ts'], title: undefined, takesAll: false }),
  ).rejects.toThrow('cannot be watched')
})

test('what cannot be asked for together is refused, as is a title without tests', () => {
  expect(() => readArguments(['server', '--changed'])).toThrow('PATH and --changed')
  expect(() => readArguments(['--watch', '--changed'])).toThrow('--changed and --watch')
  expect(() => readArguments(['-t', 'a title'])).toThrow('PATH')
  expect(() => readArguments(['--all'])).toThrow('--all goes with')
  expect(() => readArguments(['--chnaged'])).toThrow('--chnaged')
})
