import { expect, test } from 'vitest'
import { relyingPartyOf } from './relyingParty.ts'

test.each([
  ['https://signs.example', { rpId: 'signs.example', origin: 'https://signs.example' }],
  ['https://signs.example:8443/', { rpId: 'signs.example', origin: 'https://signs.example:8443' }],
  ['http://localhost:8080', { rpId: 'localhost', origin: 'http://localhost:8080' }],
  ['http://signs.example', undefined],
  ['https://192.0.2.7', undefined],
  ['https://[2001:db8::7]:8443', undefined],
])('there are passkeys by HTTPS and a name, or on the machine itself: %s', (url, found) => {
  expect(relyingPartyOf(url, true)).toEqual(found)
})

test('a server that has told nobody its address has them on its own machine', () => {
  expect(relyingPartyOf('http://127.0.0.1:8080', false)?.origin).toBe('http://localhost:8080')
})
