import { expect, test } from 'vitest'
import type { RoleId } from '../ids.ts'
import { mailDomainOf, mailOfClaims, roleByClaim } from './roleByClaim.ts'

const rules = [
  { value: 'admins', roleId: 1 as RoleId },
  { value: 'field', roleId: 2 as RoleId },
]

test('the first rule that fits gives the role; a claim may be a text or a list, and anything else is none', () => {
  expect(roleByClaim({ groups: ['field', 'admins'] }, 'groups', rules)).toBe(1)
  expect(roleByClaim({ groups: 'field' }, 'groups', rules)).toBe(2)
  for (const groups of [undefined, null, [], ['Admins'], { admins: true }, 'admins,field', [['admins']], 1]) {
    expect([groups, roleByClaim({ groups }, 'groups', rules)]).toEqual([groups, undefined])
  }
  expect(roleByClaim({}, 'toString', [{ value: 'x', roleId: 1 as RoleId }])).toBeUndefined()
})

test('only a verified address of a domain of the provider makes somebody known', () => {
  const city = { domains: ['city.example'], trustsMail: false }
  expect(mailOfClaims({ email: ' Ann@City.Example', email_verified: true }, city)).toEqual({ mail: 'ann@city.example' })
  expect(mailOfClaims({ email: 'ann@city.example', email_verified: false }, city)).toEqual({ refused: 'unverified' })
  expect(mailOfClaims({ email: 'ann@city.example', email_verified: 'true' }, city)).toEqual({ refused: 'unverified' })
  expect(mailOfClaims({ email: 'ann@city.example' }, city)).toEqual({ refused: 'unverified' })
  expect(mailOfClaims({ email: 'ann@city.example.evil.example', email_verified: true }, city)).toEqual({
    refused: 'other-domain',
  })
  expect(mailOfClaims({ email: 'a@b@city.example', email_verified: true }, city)).toEqual({ refused: 'no-mail' })
  const trusted = { ...city, trustsMail: true }
  expect(mailOfClaims({ email: 'ann@city.example' }, trusted)).toEqual({ mail: 'ann@city.example' })
  expect(mailOfClaims({ email: 'ann@city.example', email_verified: false }, trusted)).toEqual({ refused: 'unverified' })
})

test('a domain is what stands behind the one @', () => {
  expect(mailDomainOf('Ann@Sub.City.example ')).toBe('sub.city.example')
  for (const none of ['ann', 'ann@', 'ann@local', '@city.example', 'a b@city.example', 'ann@city.example.'])
    expect([none, mailDomainOf(none)]).toEqual([none, undefined])
})
