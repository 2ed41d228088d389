import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedTags, distinctTags, isTag, LONGEST_SENT_TAG, tagKey } from './tags.ts'

test.each([
  'Messe',
  ' Nordbahnhof ',
  'x',
  'a'.repeat(40),
  // Each of the forty letters has a separate accent character.
  'e\u0301'.repeat(40),
  '👩‍🔧 to look at',
  'Οθόνες #3 (new)',
])('"%s" is a tag', (text) => {
  expect(isTag(text)).toBe(true)
})

test.each([
  '',
  '   ',
  'a'.repeat(41),
  'one, two',
  'two\nlines',
  'a\tb',
  'nul\u0000',
  '\u2028a\u2028b',
  '\u200b',
  '\ud800',
])('%j is none', (text) => {
  expect(isTag(text)).toBe(false)
})

test('a tag is one, whatever its case, its blanks and how its accents are written', () => {
  expect(distinctTags(['Köln', 'KÖLN', 'ko\u0308ln ', 'Straße', 'STRASSE', 'a  b', 'A b'])).toEqual([
    'Köln',
    'Straße',
    'a b',
  ])
})

test('what is added comes last, what was there keeps its letters, and what is taken away goes whatever its case', () => {
  expect(changedTags(['Messe', 'Rewire'], { add: ['MESSE', ' spring  2027'] })).toEqual([
    'Messe',
    'Rewire',
    'spring 2027',
  ])
  expect(changedTags(['Messe', 'Rewire'], { remove: ['messe', 'never had'] })).toEqual(['Rewire'])
  expect(changedTags(['Messe'], { add: ['messe'], remove: ['MESSE'] })).toEqual(['messe'])
})

test('what is kept of a tag is a tag of the same key, and says so again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: LONGEST_SENT_TAG }), (text) => {
      fc.pre(isTag(text))
      const [kept = ''] = distinctTags([text])
      expect([isTag(kept), tagKey(kept), distinctTags([kept])]).toEqual([true, tagKey(text), [kept]])
    }),
  )
})
