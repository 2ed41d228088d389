import { expect, test } from 'vitest'
import { loadDevicePage, SCREENS, screenLoadersAt } from './screens.ts'

test.each([
  ['/devices', [SCREENS['/devices']]],
  ['/device-software/rollouts/new', [SCREENS['/device-software/rollouts/new']]],
  ['/device-software/rollouts/7', [SCREENS['/device-software/rollouts/$updateId']]],
  ['/devices/7c9e6679-7425-40de-944b-e07fc1f90ae7/status', [loadDevicePage, SCREENS['/devices/$guid/status']]],
  ['/nothing-here', []],
])('%s loads its screen, and the page of the device around it', (pathname, loaders) => {
  expect(screenLoadersAt(pathname)).toEqual(loaders)
})
