import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { applyDataBudgetSettings } from '#contract/http/devices/setup.ts'
import { HEALTHY, panel, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()

const budget = () => panel('Data budget')

test('a budget is typed in gigabytes with its billing day', async () => {
  setup.server.answer(applyDataBudgetSettings, [])
  await setup.open('setup')
  await setup.user.click((await budget()).getByRole('radio', { name: 'Each month' }))
  const amount = (await budget()).getByLabelText('Budget')
  await setup.user.clear(amount)
  await setup.user.type(amount, '1.5')
  await setup.user.click((await budget()).getByRole('button', { name: 'Apply' }))
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyDataBudgetSettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, budget: { megabytes: 1500, billingDay: 1 }, basedOn: null },
  ])
})

test('what is used is told beside the budget, and from 90 % on as a warning', async () => {
  setup.settings([sectionOf({ section: 'dataBudget', desired: { budget: { megabytes: 2000, billingDay: 15 } } })])
  setup.reports({ ...HEALTHY, ro_data_used: 1790, ro_data_used_percent: 89.5 })
  const { container } = await setup.open('setup')
  ;(await budget()).getByText('1,790 of 2,000 MB, 89.5 %')
  expect((await budget()).queryByRole('alert')).toBeNull()
  await setup.reportsLive({ ...HEALTHY, ro_data_used: 1800, ro_data_used_percent: 90 })
  expect(await (await budget()).findByRole('alert')).toHaveTextContent('1,800 of 2,000 MB, 90 %: nearly used up')
  expect(await axeFindings(container)).toEqual([])
})

test('while nothing is reported of it, nothing is made up', async () => {
  setup.settings([sectionOf({ section: 'dataBudget', desired: { budget: { megabytes: 2000, billingDay: 15 } } })])
  await setup.open('setup')
  ;(await budget()).getByText('Nothing is reported yet.')
  expect((await budget()).queryByRole('meter')).toBeNull()
})
