import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ATTENTION_GROUPS, byUrgency, countAttention, isUnderChip } from './attention.ts'

const row = fc.record({
  group: fc.constantFrom(...ATTENTION_GROUPS),
  deviceCount: fc.integer({ min: 1, max: 20_000 }),
  severityId: fc.integer({ min: 1, max: 3 }),
  since: fc.option(fc.date({ noInvalidDate: true, min: new Date(0) })),
})

test('the sums close: each chip counts the rows that it shows, and all is the sum of the others', () => {
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const counts = countAttention(rows)
      for (const chip of ['all', ...ATTENTION_GROUPS] as const) {
        const shown = rows.filter((one) => isUnderChip(one, chip))
        const devices = shown.reduce((sum, one) => sum + (one.group === 'rollout' ? 1 : one.deviceCount), 0)
        expect(counts[chip]).toBe(devices)
      }
      const { all, excused, ...others } = counts
      expect(Object.values(others).reduce((sum, one) => sum + one, 0)).toBe(all)
      expect(all + excused).toBe(Object.values(others).reduce((sum, one) => sum + one, excused))
    }),
  )
})

test('each row is under exactly one chip beside all, whatever it tells', () => {
  fc.assert(
    fc.property(row, (one) => {
      expect(ATTENTION_GROUPS.filter((chip) => isUnderChip(one, chip))).toEqual([one.group])
    }),
  )
})

test('critical comes first by age, then warnings by age, then rollouts, and at last what is excused', () => {
  const at = (minute: number) => new Date(minute * 60_000)
  const rows = [
    { name: 'excused', group: 'excused', severityId: 1, since: at(0) },
    { name: 'rollout', group: 'rollout', severityId: 2, since: at(1) },
    { name: 'young warning', group: 'onBattery', severityId: 2, since: at(9) },
    { name: 'old warning', group: 'alerted', severityId: 2, since: at(2) },
    { name: 'young critical', group: 'dark', severityId: 1, since: at(8) },
    { name: 'old critical', group: 'silent', severityId: 1, since: at(5) },
    { name: 'critical since nobody knows when', group: 'silent', severityId: 1, since: null },
  ] as const
  expect(rows.toSorted(byUrgency).map(({ name }) => name)).toEqual([
    'critical since nobody knows when',
    'old critical',
    'young critical',
    'old warning',
    'young warning',
    'rollout',
    'excused',
  ])
})
