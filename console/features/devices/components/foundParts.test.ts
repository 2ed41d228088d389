import { expect, test } from 'vitest'
import type { DeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import { componentProblem } from '#domain/components/componentRules.ts'
import { componentFor, type FoundPart, foundState, modelsFor, notFoundParts } from './foundParts.ts'

const part: DeviceDrivers['parts'][number] = { part: 'ups', chosen: null, setBy: null, used: [], refusal: null }
const nut: FoundPart = { part: 'ups', driver: 'nut', options: { host: '10.0.0.5' }, words: '' }
const client = { known: ['nut'], allowedNetworks: ['10.0.0.0/24'] }
const state = (parts: DeviceDrivers['parts'], found = nut) => foundState(found, { parts, client })

test('a found part is offered once, and only where the console may choose it', () => {
  expect(state([part])).toBe('offered')
  expect(state([])).toBe('noComponent')
  expect(state([part], { ...nut, options: null })).toBe('fileOnly')
  expect(state([part], { ...nut, options: { host: '192.168.1.5' } })).toBe('fileOnly')
  expect(state([{ ...part, used: ['nut'] }])).toBe('used')
  expect(state([{ ...part, chosen: { driver: 'nut', options: {}, secrets: [] } }])).toBe('chosen')
  expect(state([{ ...part, setBy: 'file', used: ['snmp'] }])).toBe('taken')
})

test('a found part without a component gets one of its own number, linked to nothing', () => {
  expect(modelsFor('display/2').map(({ name }) => name)).toEqual(['Display_ALT_1920', 'Display_SP_4096'])
  expect(modelsFor('power-switch')).toEqual([])
  expect(componentFor('display/2', 17)).toMatchObject({ number: 2, label: 'Display 2', als: null, touchMatrix: null })
  expect(componentProblem([componentFor('display/2', 17), componentFor('ups', 5)])).toBeUndefined()
})

test('what nothing answers for and nothing reads is named as not found', () => {
  const parts = [
    part,
    { ...part, part: 'device' },
    { ...part, part: 'relay' },
    { ...part, part: 'ecu', used: ['gpio'] },
  ]
  expect(notFoundParts({ at: '', parts: [nut], seen: [] }, parts)).toEqual(['relay'])
})
