import { expect, test } from 'vitest'
import { namesPlace, toShownAddress } from './site.ts'

test('an address names a place by a letter or a digit of any script', () => {
  for (const address of ['Am Dom 1', '7', 'Αθήνα', '東京', ' , Brno']) expect(namesPlace(address), address).toBe(true)
  for (const address of ['', ' ', '\u00a0', ' , ', '–', '—, .', '\u200b'])
    expect(namesPlace(address), address).toBe(false)
  expect(['Am Dom 1', ' , '].map(toShownAddress)).toEqual(['Am Dom 1', ''])
})
