import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newButtonRule } from '../displays/buttonRules.ts'
import type { DeviceModelId } from '../ids.ts'
import { categoryOfModel, newComponentTexts, normalComponent } from './componentFields.ts'
import { COMPONENT_CATEGORIES, COMPONENT_MODELS } from './componentModels.ts'
import { addProblem, componentProblem, freeNumber, incompleteness, OFFERED_MODELS } from './componentRules.ts'
import type { EditedComponent } from './deviceComponent.ts'
import { standardComponents } from './standardComponents.ts'

const component = (modelId: number, number: number, more: Partial<EditedComponent> = {}): EditedComponent => ({
  id: 0,
  modelId,
  number,
  label: `Model ${modelId} number ${number}`,
  ...newComponentTexts(categoryOfModel(modelId)?.id ?? 0),
  als: null,
  touchMatrix: null,
  jsonSettings: null,
  removed: false,
  ...more,
})
const [RELAY, UPS, DISPLAY, SENSOR, TOUCH, SWITCH, BIG_DISPLAY, ROUTER, BUTTONS] = [
  4, 5, 7, 8, 10, 14, 17, 18, 21,
] as const

test.each([
  [UPS, 2, 'UPS', 1],
  [UPS, 0, 'UPS', 1],
  [9, 2, 'Liquid sensor', 1],
  [BUTTONS, 2, 'Yocto button', 1],
  [RELAY, 3, 'Network relay', 2],
  [SWITCH, 3, 'Network switch', 2],
  [ROUTER, -1, 'Network router with power relay', 2],
  [19, 3, 'IP Camera', 2],
  [SENSOR, 4, 'Ambient sensor', 3],
  [3, 4, 'ECU', 3],
  [DISPLAY, 4, 'Display', 3],
  [DISPLAY, 1.5, 'Display', 3],
  [TOUCH, 4, 'Touch screen', 3],
])('a component of model %i cannot have number %d', (modelId, number, category, max) => {
  expect(componentProblem([component(modelId, number)])).toEqual({
    title: 'Invalid component number',
    text: `Component numbers must start with 1 and maximum number for ${category} is ${max}.`,
  })
})

test('two displays cannot have one number, whatever their models', () => {
  expect(componentProblem([component(DISPLAY, 2), component(BIG_DISPLAY, 2)])).toEqual({
    title: 'Invalid component number',
    text: 'Component number 2 is already used in Display!',
  })
  expect(componentProblem([component(DISPLAY, 2), component(SENSOR, 2)])).toBeUndefined()
  expect(componentProblem([component(DISPLAY, 2, { removed: true }), component(DISPLAY, 2)])).toBeUndefined()
})

test('one touch screen is linked to one display only', () => {
  const linked = (number: number, touchMatrix: number) => component(DISPLAY, number, { touchMatrix })
  expect(componentProblem([linked(1, 2), linked(3, 2)])).toEqual({
    title: 'Invalid display touch screen setting',
    text: 'Touch screen 2 is set in display 1 and 3, one touch screen can be linked only to one display!',
  })
  expect(componentProblem([linked(1, 2), linked(3, 1)])).toBeUndefined()
})

test('one ambient sensor may steer every display', () => {
  expect(componentProblem([1, 2, 3].map((number) => component(DISPLAY, number, { als: 1 })))).toBeUndefined()
})

test.each([
  [DISPLAY, 'label', 'Display 1 label'],
  [RELAY, 'label', 'Network relay 1 label'],
  [RELAY, 'labelPort1', 'Network relay 1 port 1 label'],
  [RELAY, 'labelPort2', 'Network relay 1 port 2 label'],
  [SWITCH, 'label', 'Network switch 1 label'],
  [SWITCH, 'labelReset', 'Network switch 1 reset label'],
  [ROUTER, 'label', 'Network router with power relay 1 label'],
  [ROUTER, 'labelReset', 'Network router with power relay 1 reset label'],
])('a component of model %i needs its %s', (modelId, field, name) => {
  expect(componentProblem([component(modelId, 1, { [field]: ' ' })])?.text).toBe(`${name} is required`)
})

test('a display needs a choice of ambient sensor and touch screen, of which "none" is one', () => {
  expect(incompleteness(component(DISPLAY, 1, { als: undefined }))?.text).toBe('Display 1 ambient sensor is required')
  expect(incompleteness(component(DISPLAY, 1, { touchMatrix: undefined }))?.text).toBe(
    'Display 1 touch screen is required',
  )
  expect(incompleteness(component(DISPLAY, 1, { als: 4 }))?.text).toBe('Display 1 ambient sensor is not valid')
  expect(incompleteness(component(DISPLAY, 1))).toBeUndefined()
})

test('a model is required, and must be one that exists', () => {
  expect(componentProblem([component(0, 1)])?.text).toBe('Model is required')
  expect(componentProblem([component(16, 1)])?.text).toBe('Model is not valid')
})

test('numbers are judged before what is missing, whatever the order of the components', () => {
  const unnamed = component(DISPLAY, 1, { label: '' })
  expect(componentProblem([unnamed, component(UPS, 2)])?.title).toBe('Invalid component number')
  expect(componentProblem([unnamed, component(UPS, 1), component(UPS, 1)])?.title).toBe('Invalid component number')
})

test('an active rule of the five-button module needs a measurement, and each button has one rule', () => {
  const withRules = (...jsonSettings: NonNullable<EditedComponent['jsonSettings']>) =>
    componentProblem([component(BUTTONS, 1, { jsonSettings })])?.text
  expect(withRules({ ...newButtonRule(2), active: true })).toBe('Yocto button 1 item 2 measurement is required')
  expect(withRules({ ...newButtonRule(2), active: true, measurement: 4101 })).toBeUndefined()
  expect(withRules({ ...newButtonRule(2), measurement: 1 })).toBe('Yocto button 1 item 2 measurement is not valid')
  expect(withRules(newButtonRule(2), newButtonRule(2))).toBe('Yocto button 1 item 2 is not valid')
  expect(withRules(...[1, 2, 3, 4, 5].map(newButtonRule))).toBeUndefined()
})

test('nothing is added beyond the limit of a category', () => {
  const three = [component(DISPLAY, 1), component(BIG_DISPLAY, 2), component(DISPLAY, 3)]
  expect(addProblem(three, BIG_DISPLAY)).toEqual({
    title: 'Add component failed',
    text: 'Only 3 Display components are allowed per device.',
  })
  expect(addProblem([component(UPS, 1)], UPS)).toEqual({
    title: 'Add component failed',
    text: 'Only one UPS component is allowed per device.',
  })
  expect(addProblem([component(UPS, 1, { removed: true })], UPS)).toBeUndefined()
  expect(freeNumber([component(DISPLAY, 1), component(BIG_DISPLAY, 3)], DISPLAY)).toBe(2)
  expect(freeNumber(three, DISPLAY)).toBeUndefined()
})

test('everything but the liquid sensor is offered', () => {
  expect(OFFERED_MODELS.map(({ id }) => id)).toEqual([3, 4, 5, 7, 8, 10, 14, 17, 18, 19, 21])
})

test.each([1, 2, 8, 15, 16, 22])('what a new device of model %i is fitted with can be saved as it is', (id) => {
  const fitted = standardComponents(id as DeviceModelId).map(({ componentModelId, number, label }) =>
    component(componentModelId, number, { label }),
  )
  expect(componentProblem(fitted)).toBeUndefined()
})

test('what a category does not know does not stay behind', () => {
  const odd = component(SENSOR, 1, { als: 1, touchMatrix: 2, optionPort1: 'RESET', jsonSettings: [newButtonRule(1)] })
  expect(normalComponent(odd)).toMatchObject({ als: null, touchMatrix: null, optionPort1: '', jsonSettings: null })
  expect(normalComponent(component(RELAY, 1, { optionPort1: '', optionPort2: 'RESET' }))).toMatchObject({
    optionPort1: 'FULL',
    optionPort2: 'RESET',
  })
})

const anyComponent = fc
  .record({
    modelId: fc.constantFrom(...COMPONENT_MODELS.map(({ id }) => id as number)),
    number: fc.integer({ min: 0, max: 4 }),
    touchMatrix: fc.option(fc.integer({ min: 1, max: 3 })),
    removed: fc.boolean(),
  })
  .map(({ modelId, number, ...more }) => component(modelId, number, more))

/** Restates the rules with sets: what a saved list must never be. */
function isAllowed(components: readonly EditedComponent[]): boolean {
  const present = components.filter(({ removed }) => !removed)
  const inCategory = Map.groupBy(
    present,
    ({ modelId }) => COMPONENT_MODELS.find(({ id }) => id === modelId)?.categoryId,
  )
  const touches = (inCategory.get(6 as never) ?? []).flatMap(({ touchMatrix }) => touchMatrix ?? [])
  return (
    new Set(touches).size === touches.length &&
    [...inCategory].every(([categoryId, members]) => {
      const maximum = COMPONENT_CATEGORIES.find(({ id }) => id === categoryId)?.maximumNumber ?? 0
      const numbers = new Set(members.map(({ number }) => number))
      return (
        numbers.size === members.length && members.length <= maximum && ![...numbers].some((n) => n < 1 || n > maximum)
      )
    })
  )
}

test('exactly the lawful lists can be saved, and every random edit of one that is let through ends in another', () => {
  fc.assert(
    fc.property(fc.array(anyComponent, { maxLength: 12 }), (edits) => {
      expect(componentProblem(edits) === undefined).toBe(isAllowed(edits))
      let saved: EditedComponent[] = []
      for (const edit of edits) {
        const next = [...saved, edit]
        if (componentProblem(next) === undefined) saved = next
        expect(isAllowed(saved)).toBe(true)
        if (addProblem(saved, edit.modelId) === undefined) {
          const number = freeNumber(saved, edit.modelId) ?? 0
          expect(isAllowed([...saved, component(edit.modelId, number)])).toBe(true)
        }
      }
    }),
    { numRuns: 500 },
  )
})
