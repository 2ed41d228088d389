import { expect, test } from 'vitest'
import type { DeviceGuid } from '#domain/ids.ts'
import { foundDevices } from './foundDevices.ts'

const device = (name: string, guid = name) => ({ guid: guid as DeviceGuid, name, address: `${name} street` })
const names = (...found: Parameters<typeof foundDevices>) =>
  foundDevices(...found).map(({ name, isRecent }) => `${name}${isRecent ? ' (recent)' : ''}`)

test('without a search the recently opened ones are offered, in their order', () => {
  expect(names('', [device('Praha'), device('Brno')], [], true)).toEqual(['Praha (recent)', 'Brno (recent)'])
})

test('what was opened before stands first, and nothing stands twice', () => {
  expect(names('pra', [device('Praha 2'), device('Brno')], [device('Praha 1'), device('Praha 2')], true)).toEqual([
    'Praha 2 (recent)',
    'Praha 1',
  ])
})

test('a device that was renamed is assigned under its present name', () => {
  expect(names('new', [device('Old', 'same')], [device('New', 'same')], true)).toEqual(['New (recent)'])
})

test('rows of the search before do not stay when they no longer match', () => {
  expect(names('praha 1', [], [device('Praha 1'), device('Brno')], false)).toEqual(['Praha 1'])
})

test('what the server found by other words or letters stays, and is recent where it was opened before', () => {
  expect(names('koln', [device('Köln 1'), device('Brno')], [device('Köln 1'), device('Wien')], true)).toEqual([
    'Köln 1 (recent)',
    'Wien',
  ])
})
