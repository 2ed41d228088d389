import { expect, test } from 'vitest'
import { initialsOf, nameOf } from './userName.ts'

const user = { firstName: 'Eva', lastName: 'Nováková', username: 'eva@example.com' }

test('a user goes by the full name, or by the username if a part of it is missing', () => {
  expect(nameOf(user)).toBe('Eva Nováková')
  expect(nameOf({ ...user, lastName: ' ' })).toBe('eva@example.com')
})

test('initials are whole letters of any script', () => {
  expect(initialsOf(user)).toBe('EN')
  expect(initialsOf({ firstName: 'क्षमा', lastName: '👩‍🚀x', username: 'a' })).toBe('क्ष👩‍🚀')
  expect(initialsOf({ firstName: '', lastName: '', username: 'nobody@example.com' })).toBe('N')
  expect(initialsOf({ firstName: '', lastName: '', username: '' })).toBe('?')
})
