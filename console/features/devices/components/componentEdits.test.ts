import { expect, test } from 'vitest'
import { setDeviceComponents } from '#contract/http/devices/components.ts'
import type { EditedComponent } from '#domain/components/deviceComponent.ts'
import type { DeviceId } from '#domain/ids.ts'
import { changeCounts, isChanged, newComponent, saveBody, withChange, withoutComponent } from './componentEdits.ts'

const DISPLAY = 7
const RELAY = 4
function component(id: number, changes: Partial<EditedComponent> = {}): EditedComponent {
  return {
    ...newComponent([], DISPLAY),
    id,
    number: id,
    label: `Display ${id}`,
    als: null,
    touchMatrix: null,
    ...changes,
  }
}
const saved = [component(1), component(2)]

test('new components have negative ids, each its own, and take the lowest free number', () => {
  const first = newComponent([component(5, { number: 2 })], DISPLAY)
  expect(first).toMatchObject({ id: -1, number: 1 })
  const second = newComponent([component(5, { number: 2 }), first], DISPLAY)
  expect(second).toMatchObject({ id: -2, number: 3 })
})

test('the sensor and touch screen of a new display are not chosen, which is not the same as none', () => {
  expect(newComponent([], DISPLAY)).toMatchObject({ als: undefined, touchMatrix: undefined })
  expect(newComponent([], RELAY)).toMatchObject({ als: null, touchMatrix: null })
})

test('removing a new component drops it, removing a saved one flags it', () => {
  const edits = [...saved, component(-1)]
  expect(withoutComponent(edits, -1)).toEqual(saved)
  expect(withoutComponent(edits, 2).map(({ id, removed }) => `${id} ${removed}`)).toEqual([
    '1 false',
    '2 true',
    '-1 false',
  ])
})

test('the number of a removed component is free again', () => {
  expect(newComponent(withoutComponent(saved, 1), DISPLAY).number).toBe(1)
})

test('a change that is taken back is no change', () => {
  const changed = withChange(saved, 1, { label: 'Left' })
  expect(isChanged(saved, changed)).toBe(true)
  expect(isChanged(saved, withChange(changed, 1, { label: 'Display 1' }))).toBe(false)
})

test('the question before a save counts what is added, changed and removed', () => {
  const edits = withoutComponent([...withChange(saved, 1, { label: 'Left' }), component(-1)], 2)
  expect(changeCounts(saved, edits)).toEqual({ added: 1, changed: 1, removed: 1 })
})

test('what is sent is what the call takes, the removed one included', () => {
  const body = saveBody(7 as DeviceId, withoutComponent([...saved, component(-1, { modelId: RELAY })], 2))
  expect(setDeviceComponents.body.safeParse(body).error).toBeUndefined()
  expect(body.map(({ id, removed, deviceId }) => [id, removed, deviceId])).toEqual([
    [1, false, 7],
    [2, true, 7],
    [-1, false, 7],
  ])
})
