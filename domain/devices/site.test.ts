import { expect, test } from 'vitest'
import { namesPlace, toShownAddress, townOf } from './site.ts'

test('an address names a place by a letter or a digit of any script', () => {
  for (const address of ['Am Dom 1', '7', 'Αθήνα', '東京', ' , Brno']) expect(namesPlace(address), address).toBe(true)
  for (const address of ['', ' ', '\u00a0', ' , ', '–', '—, .', '\u200b'])
    expect(namesPlace(address), address).toBe(false)
  expect(['Am Dom 1', ' , '].map(toShownAddress)).toEqual(['Am Dom 1', ''])
})

test.each([
  ['Lindenweg 14, 56068 Koblenz', 'Koblenz'],
  ['Calle Real, 89, 15001 A Coruña', 'A Coruña'],
  ['Ερμού 91, 105 63 Αθήνα', 'Αθήνα'],
  ['1 Strand, London WC2N 5HR', 'London'],
  ['Quay 3', 'Quay 3'],
  ['Main Street 1, 90210', 'Main Street 1, 90210'],
  [' , ', ''],
  ['', ''],
])('the town of "%s" is "%s"', (address, town) => {
  expect(townOf(address)).toBe(town)
})
