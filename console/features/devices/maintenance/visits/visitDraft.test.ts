import { expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { draftTrouble, newDraft, visitBody } from './visitDraft.ts'

const device = { id: 7 as DeviceId }
const BEGUN = new Date('2026-11-28T10:00:00Z')
const draft = { ...newDraft(BEGUN, 3, undefined), comment: ' Cleaned ' }

test('a visit has what was written, without blanks around it', () => {
  const written = { ...draft, parts: [{ name: ' Fan ', oldSerialNumber: 'F1', newSerialNumber: '' }] }
  const body = visitBody(device, written, new Date('2026-11-28T11:00:00Z'))
  expect(body).toMatchObject({ deviceId: 7, visitId: 3, startDt: BEGUN.toISOString(), actionComment: 'Cleaned' })
  expect([body.endDt, body.parts?.[0]?.name]).toEqual(['2026-11-28T11:00:00.000Z', 'Fan'])
})

test('a telephone whose clock is behind ends no visit before it began', () => {
  expect(visitBody(device, draft, new Date('2025-11-28T11:00:00Z')).endDt).toBe(BEGUN.toISOString())
})

test('what is missing is said', () => {
  expect(draftTrouble(draft)).toBeUndefined()
  expect(draftTrouble({ ...draft, comment: ' ' })).toBe('Say in the comment what was done.')
  const parts = [{ name: ' ', oldSerialNumber: '', newSerialNumber: '' }]
  expect(draftTrouble({ ...draft, parts })).toBe('Name each part that was exchanged, or remove its line.')
})
