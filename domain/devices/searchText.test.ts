import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeNeedles, placeText, searchNeedles, searchText } from './searchText.ts'

const KOLN = {
  name: 'Köln 0137',
  address: 'Ægirs vei 5, Straße',
  attrSerial: 'WS01-2217-10003',
  customerName: 'Οθόνες Αττικής',
  tags: ['Nordbahnhof', 'Vägg 2'],
}
const finds = (question: string, device = KOLN) => {
  const text = searchText(device)
  return searchNeedles(question).every((needle) => text.includes(needle))
}

test.each([
  'koln',
  'Köln',
  'koeln',
  'KOLN 0137',
  'oln',
  '013',
  'strasse',
  'aegirs',
  'ws01-2217',
  '10003',
  'Othones',
  'Αττικής',
  'attikis koln',
  'vagg nordbahn',
  'k',
  'ko 01',
])('"%s" finds it', (question) => {
  expect(finds(question)).toBe(true)
})

test.each(['kiel', 'koln 0138', 'ln', '37', '3', 'koln berlin'])('"%s" does not', (question) => {
  expect(finds(question)).toBe(false)
})

test.each([
  ['Αθήνα', 'Athina'],
  ['Θεσσαλονίκη', 'thessaloniki'],
  ['Tromsø', 'tromso'],
  ['Tromsø', 'tromsoe'],
  ['Århus', 'aarhus'],
  ['Łódź', 'lodz'],
  ['München', 'muenchen'],
  ['Πανεπιστημίου', 'panepistimiou'],
])('%s is found by %s', (name, question) => {
  expect(finds(question, { ...KOLN, name })).toBe(true)
})

test('a question of nothing but signs asks for nothing', () => {
  expect(searchNeedles(' -/%_* ')).toEqual([])
})

test('whatever a device is called, it is found by that and by every beginning of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(60), (name, length) => {
      // A letter without its accents is another letter: η is i but ἣ is hi.
      const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
      expect(finds(letters.slice(0, length).join(''), { ...KOLN, name })).toBe(true)
    }),
  )
})

test('a place is found by beginnings of its words, and not by a name, a customer or a serial number', () => {
  const at = (place: string) => placeNeedles(place).every((needle) => placeText(KOLN.address).includes(needle))
  expect(['Ægirs', 'aegirs vei', 'stras', 'v 5', 'VEI'].map(at)).toEqual(Array(5).fill(true))
  expect(['koln', '0137', 'attikis', 'ws01', 'girs', 'rasse'].map(at)).toEqual(Array(6).fill(false))
  expect(placeNeedles(' , ')).toEqual([])
})
