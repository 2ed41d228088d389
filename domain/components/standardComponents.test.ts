import { expect, test } from 'vitest'
import { DEVICE_MODELS } from '../devices/models.ts'
import { COMPONENT_CATEGORIES, componentModelById } from './componentModels.ts'
import { reportedComponents, standardComponents } from './standardComponents.ts'

test.each(DEVICE_MODELS)('what a new $name is fitted with keeps the limits of its categories', ({ id }) => {
  const seen = new Set<string>()
  for (const { componentModelId, number } of standardComponents(id)) {
    const model = componentModelById(componentModelId)
    const category = COMPONENT_CATEGORIES.find((candidate) => candidate.id === model?.categoryId)
    expect(number).toBeLessThanOrEqual(category?.maximumNumber ?? 0)
    expect(seen).not.toContain(`${category?.id}/${number}`)
    seen.add(`${category?.id}/${number}`)
  }
})

test('the computer always reports, and sensors report with their display', () => {
  expect(reportedComponents(8 as never, standardComponents(8 as never))).toEqual([
    { topic: 'device', number: 1 },
    { topic: 'display', number: 1 },
  ])
})

test('two network switches share one report', () => {
  const routers = reportedComponents(1 as never, standardComponents(1 as never)).filter(
    ({ topic }) => topic === 'router',
  )
  expect(routers).toEqual([{ topic: 'router', number: 1 }])
})

test.each(DEVICE_MODELS)(
  'displays of a new $name are linked only to sensors and touch screens that it has',
  ({ id }) => {
    const components = standardComponents(id)
    const numbersOf = (modelId: number) =>
      components.filter(({ componentModelId }) => componentModelId === modelId).map(({ number }) => number)
    for (const { als, touchMatrix } of components) {
      if (als !== null) expect(numbersOf(8)).toContain(als)
      if (touchMatrix !== null) expect(numbersOf(10)).toContain(touchMatrix)
    }
  },
)
