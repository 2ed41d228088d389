import fc from 'fast-check'
import { expect, test } from 'vitest'
import { offSpanAt } from '#domain/displays/offTimes.ts'
import { darkProof, emergencyOffTimes, emergencyProblem } from './emergencyDark.ts'

const NO_HOLIDAYS: ReadonlySet<string> = new Set()
const ZONES = ['Europe/Paris', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC']

test('displays are dark for the whole emergency, wherever they are and whenever it is', () => {
  const from = fc.integer({ min: Date.parse('2026-03-20T00:00Z'), max: Date.parse('2026-11-10T00:00Z') })
  const length = fc.integer({ min: 60_000, max: 24 * 3_600_000 })
  fc.assert(
    fc.property(
      from,
      length,
      fc.constantFrom(...ZONES),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (fromMs, ms, zone, share) => {
        const times = emergencyOffTimes(new Date(fromMs), new Date(fromMs + ms), zone)
        const at = new Date(fromMs + Math.floor(share * (ms - 1)))
        expect(offSpanAt(times, NO_HOLIDAYS, at, zone)).toBeDefined()
      },
    ),
  )
})

test('a device that loses its network lights up again by itself at the end', () => {
  const times = emergencyOffTimes(new Date('2026-12-01T14:00:30Z'), new Date('2026-12-01T18:00:00Z'), 'Europe/Paris')
  expect(times).toMatchObject({ wdTimeOffFrom: '15:00', wdTimeOffTo: '19:00', holTimeOffTo: '19:00' })
  expect(offSpanAt(times, NO_HOLIDAYS, new Date('2026-12-01T18:00:00Z'), 'Europe/Paris')).toBeUndefined()
})

test('an emergency lasts up to a day', () => {
  const now = new Date('2026-12-01T14:00:00Z')
  expect(emergencyProblem(now, new Date('2026-12-02T14:00:00Z'))).toBeUndefined()
  expect(emergencyProblem(now, new Date('2026-12-02T14:01:00Z'))).toBe('until: At most 24 hours from now.')
  expect(emergencyProblem(now, now)).toBe('until: It is over already.')
})

test('darkness is proven by every display, and one that is lit decides', () => {
  expect(darkProof([0, 0])).toBe('dark')
  expect(darkProof([0, 40])).toBe('lit')
  expect(darkProof([undefined, 40])).toBe('lit')
  expect(darkProof([0, undefined])).toBe('unknown')
  expect(darkProof([])).toBe('unknown')
})
