import { expect, test } from 'vitest'
import { COMPONENT_MODELS, componentModelTitle } from './componentModels.ts'

test('models are named in words, whatever they are called on the wire', () => {
  const titleOf = (id: number) => {
    const model = COMPONENT_MODELS.find((one) => one.id === id)
    return model && componentModelTitle(model)
  }
  expect([3, 4, 5, 7, 8, 10, 14, 17, 18, 21].map(titleOf)).toEqual([
    ...['ECU', 'Network relay', 'UPS', 'Display ALT 1920', 'Ambient sensor', 'Touch matrix', 'Network switch'],
    ...['Display SP 4096', 'Network router with relay', 'Yocto 5 buttons'],
  ])
})
