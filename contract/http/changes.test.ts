import { expect, test } from 'vitest'
import { CALLS } from './table.ts'

const ASKING = /\/(Get|Check|Compare|Preview|Watch)[A-Z]?/

test('every call but those whose name asks for something says what it changes, so that each use leaves an audit row', () => {
  expect(CALLS.filter(({ path, changes }) => ASKING.test(path) === (changes !== undefined))).toEqual([])
})

test('every call that changes a device asks for a proof of who makes it, at once or from the third device on', () => {
  const isOfDevices = ({ changes }: (typeof CALLS)[number]) =>
    changes?.entity === 'Device' || changes?.entity === 'Device component'
  const without = CALLS.filter((call) => isOfDevices(call) && call.stepUp === undefined)
  expect(without.map(({ path }) => path)).toEqual([
    ...['Claim/ClaimDevice', 'Claim/AcceptDevices', 'Device/CreateDevice'],
  ])
})

test('every call that reaches the displays of a country or of an update asks for a proof, but what only holds back', () => {
  const reachesMany = ({ changes }: (typeof CALLS)[number]) =>
    changes?.entity === 'Holiday calendar' || changes?.entity === 'Client update'
  const without = CALLS.filter((call) => reachesMany(call) && call.stepUp === undefined)
  expect(without.map(({ path }) => path)).toEqual([
    'ClientUpdate/LeaveOutDevice',
    'ClientUpdate/PauseUpdate',
    'ClientUpdate/StopUpdate',
  ])
})

test('every call that counts devices names one', () => {
  const counted = CALLS.filter(({ stepUp }) => stepUp === 'ofSeveral')
  const named = counted.map(({ query, body }) => {
    const { element = body } = body as { readonly element?: typeof body }
    return [query, element].flatMap((schema) => Object.keys((schema as { readonly shape?: object }).shape ?? {}))
  })
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((names) => !names.includes('deviceId') && !names.includes('id'))).toEqual([])
})

test('every call that changes nothing says whose change makes its answer old, and no other does', () => {
  const isReading = ({ changes, answersWith }: (typeof CALLS)[number]) => !changes && answersWith !== 'event-stream'
  expect(CALLS.filter((call) => isReading(call) !== (call.shows !== undefined)).map(({ path }) => path)).toEqual([])
})
