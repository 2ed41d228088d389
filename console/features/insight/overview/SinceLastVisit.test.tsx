import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { incidentOf } from '#console/testing/incidentOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { getLastVisit } from '#contract/http/people/signIn.ts'
import type { CustomerId } from '#domain/ids.ts'
import { SinceLastVisit } from './SinceLastVisit.tsx'

const SINCE = '2026-11-27T18:00:00.000Z'
const NAME = 'Since you were last here'

const One = () => <SinceLastVisit customerId={7 as CustomerId} />
const All = () => <SinceLastVisit customerId={undefined} />
const { server, open } = screenTest({ screens: { '/overview': All, '/one': One }, at: '/overview' })

const happened = { active: 3, over: 1, changes: 12 }
const found = (counts: typeof happened, authors: readonly string[] = ['mara@a.example', 'jan@a.example']) => {
  server.answer(listIncidents, ({ values }) => {
    const total = values.state === 'over' ? counts.over : counts.active
    return { rows: total === 0 ? [] : [incidentOf({})], total, alertCount: total }
  })
  const rows = counts.changes === 0 ? [] : authors.map((username, id) => ({ ...ENTRY, id, username }))
  server.answer(listAudit, { rows, total: counts.changes, next: null })
}
const ENTRY = {
  ...{ inserted: SINCE, actionId: 2, actionName: 'Update', entityTypeId: 1, entityTypeName: 'Device', entityId: 4 },
  ...{
    entityName: 'Graz 1',
    userId: null,
    details: '',
    outcome: 'done',
    deviceGuid: null,
    settingOutcome: null,
    address: '',
    call: 'Test',
  },
  ...{ before: null, after: null, names: [], bulkId: null, fold: null },
}

beforeEach(() => {
  server.answer(getLastVisit, { before: SINCE })
  found(happened)
})

test('it says what is new, what was resolved and what others changed, and each part opens the list that counts it', async () => {
  await open()
  await screen.findByRole('region', { name: NAME })
  const link = async (name: RegExp) => (await screen.findByRole('link', { name })).getAttribute('href') ?? ''
  for (const [name, path, asked] of [
    [/^3 new incidents$/, '/incidents', ['state=active', 'newFrom']],
    [/^1 resolved$/, '/incidents', ['state=over', 'overFrom']],
    [/^12 changes by mara@a\.example, jan@a\.example and others$/, '/audit-log', ['byOthers=true', 'dateFrom']],
  ] as const) {
    const href = await link(name)
    expect(href).toMatch(new RegExp(`^${path}`))
    for (const part of asked) expect(href).toContain(part)
    expect(decodeURIComponent(href)).toContain(SINCE)
  }
  expect(server.requestsTo(listAudit)[0]?.values).toMatchObject({ byOthers: true, dateFrom: SINCE, folds: true })
})

test('parts without anything are left out, and without any there is no line', async () => {
  found({ active: 0, over: 0, changes: 1 }, ['mara@a.example'])
  await open()
  await screen.findByRole('link', { name: '1 change by mara@a.example' })
  expect(screen.getAllByRole('link')).toHaveLength(1)
  cleanup()
  found({ active: 0, over: 0, changes: 0 })
  await open()
  await expect.poll(() => server.requestsTo(listAudit).length).toBeGreaterThan(1)
  expect(screen.queryByRole('region', { name: NAME })).toBeNull()
})

test('in a first visit there is none, and nothing is asked', async () => {
  server.answer(getLastVisit, { before: null })
  await open()
  await expect.poll(() => server.requestsTo(getLastVisit).length).toBe(1)
  expect(screen.queryByRole('region', { name: NAME })).toBeNull()
  expect(server.requestsTo(listIncidents)).toEqual([])
})

test('hidden, it stays so until another visit', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /^Hide/ }))
  expect(screen.queryByRole('region', { name: NAME })).toBeNull()
  cleanup()
  await open()
  await expect.poll(() => server.requestsTo(getLastVisit).length).toBe(2)
  expect(screen.queryByRole('region', { name: NAME })).toBeNull()
  cleanup()
  server.answer(getLastVisit, { before: '2026-11-28T06:00:00.000Z' })
  await open()
  await screen.findByRole('region', { name: NAME })
})

test('of one customer, and for whoever may not read the audit log, changes are not asked for', async () => {
  await open('/one')
  await screen.findByRole('link', { name: '3 new incidents' })
  expect(server.requestsTo(listIncidents).every(({ values }) => values.customerId === '7')).toBe(true)
  cleanup()
  signInAs({ roleFunctions: [8] })
  await open()
  await screen.findByRole('link', { name: '3 new incidents' })
  expect(server.requestsTo(listAudit)).toEqual([])
})
