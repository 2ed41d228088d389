import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useCall } from '#console/lib/call/useCall.ts'
import { attentionRow, GRAZ, NOTHING_WRONG, wrongWith } from '#console/testing/attentionOf.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { DEVICE_GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getWrongNow, type WrongNow } from '#contract/http/insight/overview.ts'
import type { AlertId, CustomerId, DeviceId, IncidentId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { NowPanel } from './AttentionPanel.tsx'

const OTHER = 'Wels 2'

function Panel() {
  return <NowPanel wrong={useCall(getWrongNow, {})} customerId={7 as CustomerId} />
}

const { server, open } = screenTest({ screens: { '/overview': Panel }, at: '/overview' })

async function setup(wrong: WrongNow | Refusal) {
  server.answer(getWrongNow, wrong)
  return open()
}

test('what needs attention comes first, each row with its step, and leads to where it is mended', async () => {
  const two = [GRAZ, { ...GRAZ, deviceId: 5 as DeviceId, deviceName: OTHER }]
  const rows = [
    attentionRow({ step: { kind: 'setup', label: 'Turn switch on', control: 'powerSwitch/1' } }),
    attentionRow({ key: 'two', what: 'Dark: no picture from the computer', devices: two, deviceCount: 12 }),
    attentionRow({ ...{ key: 'silent', group: 'silent', kind: 'silent', since: null, ownerName: 'Mara Novak' } }),
    attentionRow({
      ...{ key: 'incident 9', group: 'alerted', kind: null, severityId: 2, what: 'Internal temperature above 40 °C' },
      ...{ incidentId: 9 as IncidentId, alertId: 77 as AlertId },
      step: { kind: 'chart', label: 'Open chart', control: null },
    }),
    attentionRow({
      ...{ key: 'rollout 3', group: 'rollout', kind: null, severityId: 2, devices: [], deviceCount: 40, updateId: 3 },
      what: 'Rollout of 0.1.1 halted: 1 of 5 devices failed',
    }),
  ]
  const { container } = await setup(wrongWith(rows))
  const panel = within(await screen.findByRole('region', { name: 'Needs attention' }))
  const table = within(await panel.findByRole('table'))
  const [, ...drawn] = table.getAllByRole('row')
  expect(
    drawn.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['Critical', 'Dark: power switch 1 is off', 'Graz 1 Harbour · Quay 3', '3 h 0 min', UNKNOWN_TEXT, 'Turn switch on'],
    [
      ...['Critical', 'Dark: no picture from the computer', `12 devices Graz 1, ${OTHER}, …`, '3 h 0 min'],
      ...[UNKNOWN_TEXT, 'Open'],
    ],
    ['Critical', rows[2]?.what, 'Graz 1 Harbour · Quay 3', UNKNOWN_TEXT, 'Mara Novak', 'Open'],
    ['Warning', rows[3]?.what, 'Graz 1 Harbour · Quay 3', '3 h 0 min', UNKNOWN_TEXT, 'Open chart'],
    ['Warning', rows[4]?.what, '40 devices All customers', '3 h 0 min', UNKNOWN_TEXT, 'Review'],
  ])
  const steps = drawn.map((row) => within(row).getAllByRole('link').at(-1)?.getAttribute('href'))
  expect(steps).toEqual([
    `/devices/${DEVICE_GUID}/setup#powerswitch-1`,
    '/devices?filter=dark&customerId=7',
    `/devices/${DEVICE_GUID}/status`,
    '/alerts/alert-details?data=%7B%22id%22%3A77%7D',
    '/device-software/rollouts/3',
  ])
  expect(table.getByRole('link', { name: 'Internal temperature above 40 °C' }).getAttribute('href')).toBe(
    '/incidents/incident?data=%7B%22id%22%3A9%7D',
  )
  expect(await axeFindings(container)).toEqual([])
})

test('each chip shows its rows, and its number is that of their devices', async () => {
  const rows = [
    attentionRow({ deviceCount: 3 }),
    attentionRow({ key: 'silent', group: 'silent', kind: 'silent', what: 'Not reporting' }),
    attentionRow({ key: 'excused', group: 'excused', what: 'Dark: no mains (out of order)' }),
  ]
  await setup(wrongWith(rows))
  const panel = within(await screen.findByRole('region', { name: 'Needs attention' }))
  const chips = within(await panel.findByRole('group', { name: 'Show only' }))
  expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    ...['All 4', 'Dark 3', 'Not reporting 1', 'Also in maintenance or out of order 1'],
  ])
  const shown = () =>
    panel
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('.now-what')?.textContent)
  expect(shown()).toEqual(['Dark: power switch 1 is off', 'Not reporting'])
  await userEvent.click(chips.getByRole('button', { name: 'Not reporting 1' }))
  expect(shown()).toEqual(['Not reporting'])
  expect(chips.getByRole('button', { name: 'Not reporting 1', pressed: true })).not.toBeNull()
  await userEvent.click(chips.getByRole('button', { name: /^Also in maintenance/ }))
  expect(shown()).toEqual(['Dark: no mains (out of order)'])
})

test('eight rows are shown, and all of them when they are asked for', async () => {
  const rows = Array.from({ length: 23 }, (_, n) => attentionRow({ key: String(n) }))
  await setup(wrongWith(rows))
  const panel = within(await screen.findByRole('region', { name: 'Needs attention' }))
  const shown = async () => (await panel.findAllByRole('row')).length - 1
  expect(await shown()).toBe(8)
  await userEvent.click(panel.getByRole('button', { name: 'Show all 23' }))
  expect(await shown()).toBe(23)
  await userEvent.click(panel.getByRole('button', { name: 'Show the worst only' }))
  expect(await shown()).toBe(8)
})

test('where nothing is wrong it says so, and what cannot be read is not nothing', async () => {
  await setup(NOTHING_WRONG)
  await screen.findByText('All 39 active devices are fine.')
  expect(screen.queryByRole('group', { name: 'Show only' })).toBeNull()
  cleanup()
  await setup(new Refusal('internal_error'))
  const panel = within(await screen.findByRole('region', { name: 'Needs attention' }))
  await panel.findByRole('button', { name: /again/i })
  expect(panel.queryByText(/are fine/)).toBeNull()
})
