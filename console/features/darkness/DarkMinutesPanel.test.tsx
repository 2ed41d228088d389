import { cleanup, configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OpenDevice } from '#console/lib/openDevice.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { type ContractServer, Refusal, startContractServer } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { renderScreens, signInAs } from '#console/testing/renderScreens.tsx'
import { type DarkDay, type DarkMinutes, getDarkMinutes } from '#contract/http/darkMinutes.ts'
import { getDarkness } from '#contract/http/darkness.ts'
import { addDays } from '#domain/displays/wallClock.ts'
import { DarknessButton } from './DarknessButton.tsx'

configure({ asyncUtilTimeout: 10_000 })

let server: ContractServer

beforeEach(async () => {
  localStorage.clear()
  server = await startContractServer()
  server.answer(getDarkness, { at: new Date().toISOString(), walks: [] })
  signInAs()
})
afterEach(async () => {
  cleanup()
  await server.stop()
})

const dayOf = (date: string, changes: Partial<DarkDay> = {}): DarkDay => ({
  date,
  lengthMinutes: 1440,
  unplannedDarkMinutes: 65,
  unknownMinutes: 0,
  plannedDarkMinutes: 390,
  litMinutes: 985,
  availabilityPercent: (100 * 985) / 1050,
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
      litMinutes: 0,
      availabilityPercent: null,
    }),
  ],
  total: {
    unplannedDarkMinutes: 65,
    unknownMinutes: 1440,
    plannedDarkMinutes: 390,
    litMinutes: 985,
    availabilityPercent: 93.8095,
  },
}

async function open() {
  await renderScreens(
    {
      '/': () => (
        <OpenDevice.Provider value={deviceOf()}>
          <DarknessButton />
        </OpenDevice.Provider>
      ),
    },
    '/',
    server.url,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Why is it dark?' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'Dark minutes' }))
}

test('every day stands in a bar and in a row, the newest row first, unknown never as lit', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  const table = await screen.findByRole('table', { name: 'Minutes by day' })
  const [, newest, oldest] = within(table).getAllByRole('row')
  expect(newest?.textContent).toBe('Fri 20.11.0 min24 h0 min0 min–')
  expect(oldest?.textContent).toBe('Thu 19.11.1 h 5 min0 min6 h 30 min16 h 25 min93.8 %')
  const bars = await screen.findByRole('img', { name: 'Light by day, Thu 19.11. to Fri 20.11.' })
  const parts = [...bars.querySelectorAll<HTMLElement>('[data-light]')].map(
    ({ dataset, style }) => `${dataset.light} ${Number.parseFloat(style.height).toFixed(1)}`,
  )
  expect(parts).toEqual(['lit 68.4', 'planned 27.1', 'unplanned 4.5', 'unknown 100.0'])
})

test('the figure says availability, and beside it how much is unknown', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  await screen.findByText('Availability', { selector: 'dt' })
  const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
  expect(figure('Availability')).toBe('93.8 %')
  expect(figure('Unplanned dark')).toBe('1 h 5 min')
  expect(figure('Unknown')).toBe('24 h 50 % of the time')
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
  await screen.findByText('This could not be loaded')
})

test('the view is accessible', async () => {
  server.answer(getDarkMinutes, ANSWER)
  await open()
  await screen.findByRole('table', { name: 'Minutes by day' })
  expect(await axeFindings(await screen.findByRole('dialog'))).toEqual([])
})
