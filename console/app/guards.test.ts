import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Session } from '#console/lib/call/sessionStore.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import { detourOfSignedIn, detourOfVisitor, homeOf, safeWanted } from './guards.ts'

const sessionOf = (...roleFunctions: number[]) => ({ accessToken: 't', user: { roleFunctions } }) as unknown as Session
const admin = sessionOf(FUNCTION.admin)

test('a visitor goes to the login page and keeps the wanted address', () => {
  expect(detourOfVisitor(undefined, undefined, '/devices?filter=pending')).toEqual({
    to: '/login',
    wanted: '/devices?filter=pending',
  })
  expect(detourOfVisitor(undefined, 'expired', '/devices')).toEqual({ to: '/login', wanted: '/devices' })
})

test('whoever signs out leaves no address behind for the next one', () => {
  expect(detourOfVisitor(undefined, 'signedOut', '/devices')).toEqual({ to: '/login' })
})

test('who is signed in stays where they are, and never sees the login page', () => {
  expect(detourOfVisitor(admin, undefined, '/devices')).toBeUndefined()
  expect(detourOfSignedIn(undefined, undefined)).toBeUndefined()
  expect(detourOfSignedIn(admin, undefined)).toEqual({ to: '/' })
  expect(detourOfSignedIn(admin, '/devices')).toEqual({ to: '/devices' })
})

test('home is the overview, else analytics, else nowhere', () => {
  expect(homeOf(admin)).toBe('/overview')
  expect(homeOf(sessionOf(FUNCTION.deviceManager, FUNCTION.analytics))).toBe('/overview')
  expect(homeOf(sessionOf(FUNCTION.analytics))).toBe('/analytics')
  expect(homeOf(sessionOf(FUNCTION.receiveEmailNotifications, FUNCTION.createDevice))).toBeUndefined()
})

test('a wanted address within the console is kept whole', () => {
  expect(safeWanted('/devices/a/status?view=1#x')).toBe('/devices/a/status?view=1#x')
})

test('no link can send somebody to another site after the sign-in', () => {
  const hostile = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ]
  expect(hostile.map(safeWanted).filter(Boolean)).toEqual([])
  fc.assert(
    fc.property(fc.string(), (text) => {
      const wanted = safeWanted(`/${text}`)
      return wanted === undefined || new URL(wanted, 'http://here.example').origin === 'http://here.example'
    }),
  )
})

test('the login page is never where somebody wanted to go', () => {
  expect(safeWanted('/login?wanted=/login')).toBeUndefined()
})
