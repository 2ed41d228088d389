import { expect, test } from 'vitest'
import { refusalText, verdictOn } from './candidate.ts'

const device = { statusId: 2, version: '1.2.3', openUpdate: null }
const openUpdate = { updateId: 7, waitsAs: null }

test.each([
  [{}, '1.2.4', 'update'],
  [{}, '1.10.0', 'update'],
  [{}, '1.2.3', 'alreadyThere'],
  [{ version: '1.10.0' }, '1.9.0', 'downgrade'],
  [{ version: null }, '1.0.0', 'update'],
  [{ version: 'a private build' }, '1.0.0', 'update'],
  [{ statusId: 4 }, '1.2.4', 'deactivated'],
  [{ statusId: 4, openUpdate }, '1.2.4', 'deactivated'],
  [{ openUpdate }, '1.2.3', 'beingUpdated'],
  [{ statusId: 1 }, '1.2.4', 'update'],
] as const)('%j and %s: %s', (changes, target, verdict) => {
  expect(verdictOn({ ...device, ...changes }, target)).toBe(verdict)
})

test('each refusal names the device and says why; an update is none', () => {
  const named = { name: 'Totem 1', version: '1.10.0', openUpdate }
  expect(refusalText(named, 'deactivated', '1.9.0')).toBe('"Totem 1": is deactivated.')
  expect(refusalText(named, 'beingUpdated', '1.9.0')).toBe('"Totem 1": an update is already running.')
  const halted = { ...named, openUpdate: { updateId: 7, waitsAs: 'halted' as const } }
  expect(refusalText(halted, 'beingUpdated', '1.9.0')).toBe('"Totem 1": waits in the halted update 7.')
  expect(refusalText(named, 'alreadyThere', '1.10.0')).toBe('"Totem 1": already runs 1.10.0.')
  expect(refusalText(named, 'downgrade', '1.9.0')).toBe('"Totem 1": runs 1.10.0, which is newer than 1.9.0.')
  expect(refusalText(named, 'update', '1.11.0')).toBeUndefined()
})
