import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getSystemState, type SystemProcess, type SystemState } from '#contract/http/operation/system.ts'
import { SystemScreen } from './SystemScreen.tsx'

const { server, open } = screenTest({ screens: { '/system': SystemScreen }, at: '/system' })

const FULL = { text: 'The disk of the database is full.', advice: 'Make room or enlarge it.' }
const ALONE = { text: 'Nobody has written of this.', advice: null }

const told = (changes: Partial<NonNullable<SystemProcess['told']>>): NonNullable<SystemProcess['told']> => ({
  at: '2026-11-24T08:00:00.000Z',
  version: '0.1.0',
  roles: ['api', 'gateway', 'jobs'],
  isLeading: false,
  connectedDevices: 12,
  memoryBytes: 150_000_000,
  reportsWaitSeconds: 0,
  troubles: [],
  disks: [{ name: 'data', freeBytes: 1e9, sizeBytes: 4e9 }],
  jobs: [],
  ...changes,
})
const process = (id: string, of: SystemProcess['told']): SystemProcess => ({
  id: `${id}-and-more`,
  startedAt: '2026-11-24T07:00:00.000Z',
  told: of,
})

let state: SystemState
beforeEach(() => {
  const jobs = [
    { name: 'mails', endedAt: '2026-11-24T07:59:00.000Z', succeededAt: '2026-11-24T07:59:00.000Z', isFailing: false },
    { name: 'roll-ups', endedAt: '2026-11-24T07:59:30.000Z', succeededAt: null, isFailing: false },
  ]
  state = {
    processes: [process('11111111', told({ isLeading: true, jobs })), process('22222222', told({ roles: ['api'] }))],
    kept: [
      { kind: 'open', from: '2026-11-20T00:00:00.000Z', bytes: 5e6, keptDays: 4, goesAt: '2026-11-25T00:00:00.000Z' },
      { kind: 'closed', from: null, bytes: 0, keptDays: 1096, goesAt: null },
    ],
    closing: { daysLeft: 3, ranAt: '2026-11-24T07:50:00.000Z', share: 0.314 },
    databaseBytes: 3e9,
    workers: [],
    partitionsAheadDays: 7,
    mailsWaiting: 3,
    mailsWaitSeconds: 130,
    commandsWaiting: 0,
    rollupHoursWaiting: 0,
    rollupsWholeAt: null,
    backups: { copies: 2, newestCopySeconds: 3600, restorableSeconds: null },
  }
  server.answer(getSystemState, () => state)
})

test('when nothing is wrong it says so, with what each server does and what waits', async () => {
  await open()
  expect(await screen.findByText('No problems. Every server reports that it is healthy.')).toBeInTheDocument()
  const [, first, second] = within(screen.getByRole('table', { name: 'Servers' })).getAllByRole('row')
  expect(first).toHaveTextContent('11111111Leader0.1.0all')
  expect(second).toHaveTextContent('222222220.1.0api')
  expect(screen.getByText('E-mails waiting').nextSibling).toHaveTextContent('3, the oldest for 2 min')
  expect(screen.getByText('Newest whole backup').nextSibling).toHaveTextContent('1 h 0 min ago')
  expect(screen.getByText('Restorable up to').nextSibling).toHaveTextContent(/^–$/)
  // What is tried again before it is late is no failure, and stands first all the same.
  const [, job, ...more] = within(screen.getByRole('table', { name: 'Jobs that failed' })).getAllByRole('row')
  expect(more).toEqual([])
  expect(job).toHaveTextContent('Roll up readings by the hour')
  expect(job).toHaveTextContent('will be tried again; not done since the start')
  expect(screen.queryByText('Failed')).toBeNull()
  expect(await axeFindings(document.body)).toEqual([])
})

test('it says what is kept since when, and when the oldest goes', async () => {
  await open()
  const [, first, second] = within(await screen.findByRole('table', { name: 'Data kept' })).getAllByRole('row')
  expect(first).toHaveTextContent(/^Readings, open days.*4 days.*, closed$/)
  expect(second).toHaveTextContent(/^Readings, closed days–0 B1,096 days–$/)
})

test.each([
  [3e9, '2, with 5 GB together'],
  [null, '2; cannot be reached: one:5432'],
])('where readings are on several machines, it says how many, and which cannot be reached', async (bytes, says) => {
  const workers = [
    { name: 'one:5432', bytes },
    { name: 'two:5432', bytes: 2e9 },
  ]
  state = { ...state, workers }
  await open()
  expect((await screen.findByText('Workers of the database')).nextSibling).toHaveTextContent(says)
})

test('jobs that are fine are folded, and say what they do', async () => {
  await open()
  const fine = await screen.findByText('1 job fine')
  expect(screen.getByText('Send e-mails')).not.toBeVisible()
  await userEvent.click(fine)
  expect(screen.getByText('Send e-mails')).toBeVisible()
})

test('a job that fails is called that, first in its table', async () => {
  const jobs = [
    { name: 'mails', endedAt: '2026-11-24T07:59:00.000Z', succeededAt: null, isFailing: false },
    { name: 'roll-ups', endedAt: '2026-11-24T07:59:30.000Z', succeededAt: null, isFailing: true },
  ]
  state = { ...state, processes: [process('11111111', told({ isLeading: true, jobs }))] }
  await open()
  const [, job] = within(await screen.findByRole('table', { name: 'Jobs that failed' })).getAllByRole('row')
  expect(job).toHaveTextContent('Roll up readings by the hour')
  expect(job).toHaveTextContent('Failednot done since the start')
})

test('without backups not all is well', async () => {
  state = { ...state, backups: null }
  await open()
  const [only, ...more] = within(await screen.findByRole('list', { name: 'Problems' })).getAllByRole('listitem')
  expect(more).toEqual([])
  expect(only).toHaveTextContent(
    /^No backup is configured\.Set WAYSIDE_BACKUP_FOLDER to a folder on another disk or machine\.$/,
  )
  expect(screen.queryByText(/reports that it is healthy/)).toBeNull()
  expect(only).toHaveAttribute('data-warning', 'true')
  expect(screen.queryByText('Whole backups')).toBeNull()
})

test('of backups that cannot be read nothing is claimed', async () => {
  state = { ...state, backups: { copies: null, newestCopySeconds: null, restorableSeconds: null } }
  await open()
  for (const name of ['Whole backups', 'Newest whole backup', 'Restorable up to']) {
    expect((await screen.findByText(name)).nextSibling).toHaveTextContent(/^–$/)
  }
})

test('a trouble is told once, with what to do and who says so', async () => {
  state = {
    ...state,
    processes: [
      process('11111111', told({ troubles: [FULL, ALONE] })),
      process('22222222', told({ troubles: [FULL] })),
      process('33333333', null),
    ],
  }
  await open()
  const [full, alone, ...more] = within(await screen.findByRole('list', { name: 'Problems' })).getAllByRole('listitem')
  expect(more).toEqual([])
  expect(full).toHaveTextContent(`${FULL.text}${FULL.advice}Reported by 11111111, 22222222`)
  expect(alone).toHaveTextContent(/^Nobody has written of this\.Reported by 11111111$/)
  expect(screen.getByText('No report yet')).toBeInTheDocument()
  expect(screen.queryByRole('table', { name: /^Jobs/ })).toBeNull()
  expect(await axeFindings(document.body)).toEqual([])
})
