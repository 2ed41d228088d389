import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { type Energy, getEnergy, setEnergyTariffs, setGridFactors } from '#contract/http/insight/energy.ts'
import type { EnergySum } from '#contract/http/insight/energySum.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { NO_ENERGY } from '#domain/energy/energyFigures.ts'
import { ENERGY_RULES } from '#domain/energy/energyText.ts'
import type { CustomerId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import { EnergyScreen } from './EnergyScreen.tsx'

const { server, open } = screenTest({
  screens: { '/energy': EnergyScreen },
  at: '/energy?customerId=7&period=2026',
})

const GUID = '0b7e9a52-0000-4000-8000-000000000001' as DeviceGuid
const USED: EnergySum = {
  figures: {
    ...{ ...NO_ENERGY, used: 8_000, measured: 6_000, estimated: 2_000, savedTotal: 4_000, notDrawn: 500 },
    ...{ saved: { offTimes: 3_000, dayPlan: 400, ambient: 600, byHand: 0 }, alwaysFull: 12_500, unknownSeconds: 7_200 },
  },
  ...{ cost: [{ currency: 'EUR', minor: 226 }], savedCost: [{ currency: 'EUR', minor: 113 }], unpriced: 0 },
  ...{ grams: 3_040, savedGrams: 1_520 },
}
const NOTHING: EnergySum = { figures: NO_ENERGY, cost: [], savedCost: [], unpriced: 0, grams: null, savedGrams: null }

const energyOf = (changes: Partial<Energy> = {}): Energy => ({
  ...{ customerId: 7 as CustomerId, customerName: 'Nordlys', subject: 'All devices', period: '2026' },
  ...{ countedAt: '2026-11-20T00:00:00.000Z', rules: [...ENERGY_RULES], total: USED },
  parts: Array.from({ length: 12 }, (_, index) => ({
    ...{ part: `2026-${String(index + 1).padStart(2, '0')}`, ...(index === 9 ? USED : NOTHING) },
  })),
  devices: [
    {
      ...{ id: 1 as DeviceId, guid: GUID, name: 'Pier', address: 'Harbour 1', timeZone: 'Europe/Oslo', ...USED },
      ...{ hasLeft: false, from: '2026-01-01', to: '2026-12-31' },
    },
  ],
  basis: {
    ...{ tariffs: [{ validFrom: '2026-01-01', currency: 'EUR', perKwhThousandths: 28_340 }], areTariffsOwn: true },
    panels: [
      {
        ...{ modelId: 17, name: 'Display SP 4096', isOwn: false },
        power: { fullWatts: 620, minimumWatts: 140, darkWatts: 15 },
      },
    ],
    ...{
      country: { id: 3, name: 'Germany' },
      factors: [{ year: 2024, gramsPerKwh: 363, source: 'UBA', isOwn: false }],
    },
    factor: { year: 2024, gramsPerKwh: 363, source: 'UBA', isOwn: false },
  },
  ...changes,
})

beforeEach(() => {
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Nordlys' }] as never)
  server.answer(getEnergy, energyOf())
})

test('a year closes against always full, and says what is measured, estimated, unknown and by which figures', async () => {
  const { container } = await open()
  const ledger = within(await screen.findByRole('table', { name: 'Against always full' }))
  expect(ledger.getByRole('row', { name: 'Used 8.0 64.0 %' })).toBeVisible()
  expect(ledger.getByRole('row', { name: 'Saved: off times 3.0 24.0 %' })).toBeVisible()
  expect(ledger.getByRole('row', { name: 'Always full 12.5 100.0 %' })).toBeVisible()
  expect(screen.getByText('75.00 % measured, the rest estimated')).toBeVisible()
  expect(screen.getByText('2 h', { selector: 'dd' })).toBeVisible()
  expect(screen.getByText(/usual figures, not of a data sheet/)).toBeVisible()
  expect(screen.getByText('Germany, 2024: 363 g a kWh. UBA')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Pier' })).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
})

test('a month opens its days, and the year comes back', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: /^Oct 26: October 2026: 8\.0 kWh used/ }))
  server.answer(getEnergy, energyOf({ period: '2026-10', parts: [{ part: '2026-10-01', ...USED }] }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reload' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Show 2026' }))
  expect(server.requestsTo(getEnergy).map(({ values }) => values)).toMatchObject([
    { period: '2026' },
    { period: '2026-10' },
    { period: '2026-10' },
    { period: '2026' },
  ])
})

test('prices and CO₂ are typed as people write them', async () => {
  server.answer(setEnergyTariffs, true)
  server.answer(setGridFactors, true)
  await open()
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name }))
    return within(await screen.findByRole('dialog'))
  }
  const prices = await choose('Prices')
  const field = prices.getByRole('textbox', { name: /^Prices/ })
  expect(field).toHaveValue('2026-01-01: 0.2834 EUR')
  await userEvent.type(field, '{Enter}2026-07-01: 0.3 eur')
  await userEvent.click(prices.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setEnergyTariffs)).toHaveLength(1))
  expect(server.requestsTo(setEnergyTariffs)[0]?.values).toEqual({
    customerId: 7,
    tariffs: [
      { validFrom: '2026-01-01', currency: 'EUR', perKwhThousandths: 28_340 },
      { validFrom: '2026-07-01', currency: 'EUR', perKwhThousandths: 30_000 },
    ],
  })
  const factors = await choose('CO₂ of electricity')
  await userEvent.type(factors.getByRole('textbox', { name: /^Grams/ }), '2026: 350 Our supplier')
  await userEvent.click(factors.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.requestsTo(setGridFactors)).toHaveLength(1))
  expect(server.requestsTo(setGridFactors)[0]?.values).toEqual({
    ...{ countryId: 3, factors: [{ year: 2026, gramsPerKwh: 350, source: 'Our supplier' }] },
  })
})

test('a country without a figure says so, and leads to where one is added', async () => {
  const { basis } = energyOf()
  server.answer(getEnergy, energyOf({ basis: { ...basis, factors: [], factor: null } }))
  await open()
  expect(await screen.findByText(/Unknown: no figure of Germany is set\./)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Add a figure' }))
  expect(await screen.findByRole('dialog', { name: 'CO₂ of electricity in Germany' })).toBeVisible()
})

test('a customer reads its own, saves the file, and sets nothing', async () => {
  signInAs({ customerId: 7, roleFunctions: [8] })
  const saved = watchDownloads()
  await open('/energy?period=2026')
  await userEvent.click(await screen.findByRole('button', { name: /this list/ }))
  expect(screen.queryByRole('menuitem', { name: 'Prices' })).not.toBeInTheDocument()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(screen.queryByRole('combobox', { name: 'Customer' })).not.toBeInTheDocument()
})

test('what was not counted is not shown as nothing used', async () => {
  server.answer(getEnergy, energyOf({ total: NOTHING }))
  await open()
  expect(await screen.findByText('Nothing is counted in 2026 yet')).toBeVisible()
  expect(screen.queryByText(/0\.0 kWh/)).toBeNull()
})

test('a page whose customers cannot be read says so', async () => {
  server.answer(listCustomers, new Refusal('internal_error'))
  await open('/energy')
  expect(await screen.findByText('Something went wrong on the server.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})
