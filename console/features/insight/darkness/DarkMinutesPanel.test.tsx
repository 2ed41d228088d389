import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { type DarkDay, type DarkMinutes, getDarkMinutes } from '#contract/http/insight/darkMinutes.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { WhyDark } from './WhyDark.tsx'

const { server, open: draw } = screenTest({
  screens: {
    '/': () => (
      <OpenDevice.Provider value={deviceOf()}>
        <WhyDark />
      </OpenDevice.Provider>
    ),
  },
  at: '/',
})

beforeEach(() => {
  server.answer(getDarkness, { at: new Date().toISOString(), walks: [] })
})

const dayOf = (date: string, changes: Partial<DarkDay> = {}): DarkDay => ({
  date,
  lengthMinutes: 1440,
  unplannedDarkMinutes: 65,
  unknownMinutes: 0,
  plannedDarkMinutes: 390,
  litInOffTimesMinutes: 30,
  maintenanceMinutes: 0,
  litMinutes: 955,
  availabilityPercent: (100 * 955) / 1020,
  measuredMinutes: 0,
  ...changes,
})
const ANSWER: DarkMinutes = {
  timeZone: 'Europe/Prague',
  hasDisplay: true,
  days: [
    dayOf('2026-11-19'),
    dayOf('2026-11-20', {
      unplannedDarkMinutes: 0,
      unknownMinutes: 1440,
      plannedDarkMinutes: 0,
      litInOffTimesMinutes: 0,
      litMinutes: 0,
      availabilityPercent: null,
    }),
  ],
  total: {
    unplannedDarkMinutes: 65,
    unknownMinutes: 1440,
    plannedDarkMinutes: 390,
    litInOffTimesMinutes: 30,
    maintenanceMinutes: 0,
    litMinutes: 955,
    availabilityPercent: 93.6274,
    notToldApartBefore: null,
    measuredMinutes: 0,
  },
}

async function open() {
  await draw()
  act(() => runWhenAvailable('device.whyDark'))
  await userEvent.click(await screen.findByRole('radio', { name: 'Dark minutes' }))
}

test('every day stands in a bar and in a row, the newest row first, unknown never as lit', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  const table = await screen.findByRole('table', { name: 'Minutes by day' })
  const [, newest, oldest] = within(table).getAllByRole('row')
  expect(newest?.textContent).toBe('Fri 20.11.0 min24 h0 min0 min0 min0 min–')
  expect(oldest?.textContent).toBe('Thu 19.11.1 h 5 min0 min0 min6 h 30 min30 min15 h 55 min93.62 %')
  const bars = await screen.findByRole('img', { name: 'Light by day, Thu 19.11. to Fri 20.11.' })
  const parts = [...bars.querySelectorAll<HTMLElement>('[data-light]')].map(
    ({ dataset, style }) => `${dataset.light} ${Number.parseFloat(style.height).toFixed(1)}`,
  )
  expect(parts).toEqual(['lit 66.3', 'litInOffTime 2.1', 'planned 27.1', 'unplanned 4.5', 'unknown 100.0'])
})

test('the figure says availability, and beside it how much is unknown and was lit in off times', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  await screen.findByText('Availability', { selector: 'dt' })
  const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
  expect(figure('Availability')).toBe('93.62 %')
  expect(figure('Unplanned dark')).toBe('1 h 5 min')
  expect(figure('Unknown')).toBe('24 h 50 % of the time')
  expect(figure('Lit in off times')).toBe('30 min ')
  expect(screen.queryByText('Measured at the panel')).toBeNull()
})

test('where a sensor measures the light, the figure says for how long it did', async () => {
  server.answer(getDarkMinutes, { ...ANSWER, total: { ...ANSWER.total, measuredMinutes: 700 } })
  await open()
  const measured = await screen.findByText('Measured at the panel', { selector: 'dt' })
  expect(measured.nextElementSibling?.textContent).toBe('11 h 40 min otherwise by what displays report')
})

test('days of which light in off times is not told apart say so, also in a file', async () => {
  const saved = watchDownloads()
  const before = dayOf('2026-11-18', { litInOffTimesMinutes: null, litMinutes: 985, measuredMinutes: null })
  const total = { ...ANSWER.total, notToldApartBefore: '2026-11-19' }
  server.answer(getDarkMinutes, { ...ANSWER, days: [before, dayOf('2026-11-19')], total })
  await open()
  const table = await screen.findByRole('table', { name: 'Minutes by day' })
  expect(within(table).getAllByRole('row').at(-1)?.textContent).toBe(
    'Wed 18.11.1 h 5 min0 min0 min6 h 30 minnot counted separately16 h 25 min93.62 %',
  )
  const figure = screen.getByText('Lit in off times', { selector: 'dt' }).nextElementSibling
  expect(figure?.textContent).toBe('30 min not counted separately before 19.11.26')
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for this list' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(saved[0]?.name).toMatch(/^darkMinutes_\d+_\d{4}-\d{2}-\d{2}\.csv$/)
  expect((await saved[0]?.file.text())?.split('\r\n')).toEqual([
    '\ufeff"Day";"Length (min)";"Lit (min)";"Lit in off times (min)";"Planned dark (min)";"Maintenance (min)";"Unknown (min)";"Unplanned dark (min)";"Availability (%)";"Measured at the panel (min)"',
    '"2026-11-18";"1440";"985";"";"390";"0";"0";"65";"93.62";""',
    '"2026-11-19";"1440";"955";"30";"390";"0";"0";"65";"93.62";"0"',
    '',
  ])
})

test('another period is asked for, in days of the device', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  await screen.findByRole('table', { name: 'Minutes by day' })
  await userEvent.click(await screen.findByRole('combobox', { name: 'Period' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Last 30 days' }))
  await waitFor(() => expect(server.requestsTo(getDarkMinutes).length).toBe(2))
  for (const [index, days] of [7, 30].entries()) {
    const asked = server.requestsTo(getDarkMinutes)[index]?.values
    expect(asked?.dateFrom).toBe(addDays(String(asked?.dateTo), 1 - days))
  }
})

test('a device without displays, and a question that fails, say so', async () => {
  server.answer(getDarkMinutes, { ...ANSWER, hasDisplay: false, days: [] })
  await open()
  await screen.findByText('This device has no display', { selector: '.view-note strong' })
  cleanup()
  server.answer(getDarkMinutes, new Refusal('internal_error'))
  await open()
  await screen.findByText('Could not be loaded')
})

test('the view is accessible', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  await screen.findByRole('table', { name: 'Minutes by day' })
  expect(await axeFindings(await screen.findByRole('dialog'))).toEqual([])
})
