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
