import { expect, test } from 'vitest'
import { CLIENT_FEATURES, hasClientFeature, writeClientFeatures } from './clientFeatures.ts'

const said = (text: string, minute: number) => ({ text, at: new Date(minute * 60_000) })

test('a client has the features that it tells with its version; of one that told nothing nobody knows', () => {
  const features = said(writeClientFeatures(CLIENT_FEATURES), 5)
  expect(hasClientFeature('dayPlans', { version: undefined, features: undefined })).toBeUndefined()
  expect(hasClientFeature('dayPlans', { version: said('1.0.0', 5), features })).toBe(true)
  expect(hasClientFeature('dayPlans', { version: said('1.0.0', 5), features: undefined })).toBe(false)
  expect(hasClientFeature('dayPlans', { version: said('1.0.0', 5), features: said('others', 5) })).toBe(false)
})

test('a device that went back to an older client has no feature of the newer one any more', () => {
  const features = said(writeClientFeatures(CLIENT_FEATURES), 5)
  expect(hasClientFeature('dayPlans', { version: said('0.9.0', 6), features })).toBe(false)
})
