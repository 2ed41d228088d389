import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FUNCTION, type FunctionId } from './functions.ts'
import { type Authority, FUNCTIONS_OF, homePath, isAllowed, sharedFunctions } from './permissions.ts'

const holding = (...functions: FunctionId[]): Authority => ({ functions, isLab: false, isInternal: false })

test.each([
  ['admin', [FUNCTION.admin]],
  ['deviceManager', [FUNCTION.admin, FUNCTION.deviceManager]],
  ['createDevice', [FUNCTION.admin, FUNCTION.createDevice]],
  ['analytics', [FUNCTION.admin, FUNCTION.analytics]],
  ['seeDevices', [FUNCTION.admin, FUNCTION.deviceManager, FUNCTION.seeDevices]],
  ['seeDevicesOrAnalytics', [FUNCTION.admin, FUNCTION.deviceManager, FUNCTION.analytics, FUNCTION.seeDevices]],
] as const)('%s is given by exactly these functions', (permission, allowed) => {
  for (const id of Object.values(FUNCTION))
    expect(isAllowed(permission, holding(id))).toBe((allowed as readonly number[]).includes(id))
  expect(isAllowed(permission, holding())).toBe(false)
  expect(isAllowed(permission, undefined)).toBe(false)
})

test('somebody signed in without functions may only do what everybody signed in may', () => {
  expect(isAllowed('signedIn', holding())).toBe(true)
  expect(isAllowed('signedIn', undefined)).toBe(false)
  expect(isAllowed('public', undefined)).toBe(true)
})

test('everybody lands where they may work', () => {
  expect(homePath(holding(FUNCTION.admin))).toBe('/overview')
  expect(homePath(holding(FUNCTION.deviceManager, FUNCTION.analytics))).toBe('/overview')
  expect(homePath(holding(FUNCTION.seeDevices, FUNCTION.analytics))).toBe('/overview')
  expect(homePath(holding(FUNCTION.analytics))).toBe('/analytics')
  expect(homePath(holding(FUNCTION.createDevice))).toBeUndefined()
})

test('what two may both do is what each may do alone, whatever their roles name', () => {
  const functions = fc.uniqueArray(fc.constantFrom(...Object.values(FUNCTION)))
  fc.assert(
    fc.property(functions, functions, (one, other) => {
      const shared = holding(...sharedFunctions(one, other))
      for (const permission of Object.keys(FUNCTIONS_OF) as (keyof typeof FUNCTIONS_OF)[]) {
        const both = isAllowed(permission, holding(...one)) && isAllowed(permission, holding(...other))
        expect(isAllowed(permission, shared)).toBe(both && sharesOneFor(permission, one, other))
      }
    }),
  )
})

/** Users of charts and managers may both read a list, but for different reasons. */
function sharesOneFor(permission: keyof typeof FUNCTIONS_OF, one: readonly FunctionId[], other: readonly FunctionId[]) {
  if (permission !== 'seeDevicesOrAnalytics') return true
  return (['seeDevices', 'analytics'] as const).some(
    (each) => isAllowed(each, holding(...one)) && isAllowed(each, holding(...other)),
  )
}
