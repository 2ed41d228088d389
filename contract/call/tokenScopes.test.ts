import { expect, test } from 'vitest'
import { CALLS } from '#contract/http/table.ts'
import { isInScopes, scopeOfCall, TOKEN_SCOPE_IDS } from './tokenScopes.ts'

const pathsOf = (scope: ReturnType<typeof scopeOfCall>) =>
  CALLS.filter((call) => scopeOfCall(call) === scope).map(({ path }) => path)

test('no token signs in, makes tokens, issues statements, or changes passwords, sessions and people', () => {
  const never = pathsOf(undefined)
  expect(
    never.filter(
      (path) =>
        !/^(App|ApiToken|AppUser|AppRole|Claim|Customer|Country|Energy|Incident|LightProof|LightRule|LightStatement|PanelLife|SignInProvider)\//.test(
          path,
        ),
    ),
  ).toEqual([])
  for (const path of [
    'App/Login',
    'App/EndSession',
    'App/SetPasswordByToken',
    'AppUser/ChangeUserPass',
    'AppUser/DownloadPersonalData',
  ]) {
    expect(never).toContain(path)
  }
  expect(CALLS.filter(({ path }) => path.startsWith('ApiToken/')).every(({ path }) => never.includes(path))).toBe(true)
})

test('reading never changes, and each scope is there for something', () => {
  for (const scope of TOKEN_SCOPE_IDS) {
    const calls = CALLS.filter((call) => scopeOfCall(call) === scope)
    expect(calls.length, scope).toBeGreaterThan(0)
    expect(calls.every(({ changes }) => (changes === undefined) === scope.endsWith('.read'))).toBe(true)
  }
  expect(CALLS.filter((call) => call.changes && isInScopes(call, []))).toEqual([])
})

test('power, settings and keys are three things', () => {
  expect(pathsOf('devices.command')).toContain('Device/UpsShutdown')
  expect(pathsOf('devices.command').some((path) => path.startsWith('Device/Apply'))).toBe(false)
  expect(pathsOf('devices.settings')).toContain('Device/ApplyDisplaySettings')
  expect(pathsOf('devices.keys').toSorted()).toEqual([
    ...['Claim/AcceptAsDevices', 'Claim/GiveRecord', 'Device/DownloadConfiguration', 'Device/RenewDeviceKey'],
  ])
})
