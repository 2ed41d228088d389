import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getFeedChain, setFeedChain } from '#contract/http/insight/feedChain.ts'
import { standardComponents } from '#domain/components/standardComponents.ts'
import { type Feeds, withFeeds } from '#domain/darkness/configuredFeeds.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { FeedsPanel } from './FeedsPanel.tsx'

const TOTEM = 1 as DeviceModelId
const { server, open } = screenTest({
  screens: { '/': () => <FeedsPanel device={deviceOf()} title="Power wiring" /> },
  at: '/',
})

function wired(feeds: Feeds) {
  const { parts, uplink } = withFeeds(defaultFeedChain(TOTEM, standardComponents(TOTEM)), feeds)
  const wire = parts.map((part) => ({ ...part, fedBy: part.fedBy ?? null, defaultFedBy: part.defaultFedBy ?? null }))
  return getFeedChain.answer.parse({ parts: wire, uplink })
}

beforeEach(() => {
  server.answer(getFeedChain, wired({}))
  server.answer(setFeedChain, ({ values }) => {
    server.answer(getFeedChain, wired(values.feeds as Feeds))
    return wired(values.feeds as Feeds)
  })
})

const fedBy = async (part: string) =>
  (await screen.findByRole<HTMLInputElement>('combobox', { name: `${part} fed by` })).value
async function choose(part: string, feeder: string) {
  await userEvent.click(await screen.findByRole('combobox', { name: `${part} fed by` }))
  await userEvent.click(await screen.findByRole('option', { name: feeder }))
}
const sent = () => server.requestsTo(setFeedChain).map(({ values }) => values.feeds)

test('every part that can be wired stands with what feeds it, the default marked', async () => {
  await open()
  expect(await fedBy('The Beaglebone')).toBe('Power switch 2 (default)')
  expect(await fedBy('Display')).toBe('Power switch 1 (default)')
  expect(screen.queryByRole('combobox', { name: /^Group 1 of the UPS/ })).toBeNull()
  expect(screen.queryByRole('combobox', { name: /^The mains/ })).toBeNull()
  expect(await screen.findByRole<HTMLButtonElement>('button', { name: 'Save wiring' })).toHaveProperty('disabled', true)
})

test('the tree goes from the mains to what hangs at its ends, and moves with what is chosen', async () => {
  await open()
  const under = async (feeder: string) =>
    [...(await screen.findByRole('list', { name: `Fed by: ${feeder}` })).children].map(
      (branch) => branch.querySelector('.feed-name')?.textContent,
    )
  expect(await under('Power switch 2')).toEqual(['The Beaglebone'])
  await choose('The Beaglebone', 'Power switch 1')
  expect(await under('Power switch 1')).toEqual(['The Beaglebone', 'The PC', 'Display'])
  expect(screen.queryByRole('list', { name: 'Fed by: Power switch 2' })).toBeNull()
})

test('another feeder is saved alone, and can be reset to the default', async () => {
  await open()
  await choose('The Beaglebone', 'Power switch 1')
  await screen.findByText('Not saved yet')
  await userEvent.click(await screen.findByRole('button', { name: 'Save wiring' }))
  await screen.findByText('The power wiring is saved.')
  expect(sent()).toEqual([{ computer: 'powerSwitch/1' }])
  await waitFor(async () => expect(await fedBy('The Beaglebone')).toBe('Power switch 1'))
  await userEvent.click(
    await screen.findByRole('button', { name: /^Reset to Power switch 2 ?, the default of The Beaglebone$/ }),
  )
  expect(await fedBy('The Beaglebone')).toBe('Power switch 2 (default)')
  await userEvent.click(await screen.findByRole('button', { name: 'Save wiring' }))
  await waitFor(() => expect(sent().at(-1)).toEqual({}))
})

test('what would make a part feed itself is not offered', async () => {
  await open()
  await choose('Power switch 1', 'Power switch 2')
  await userEvent.click(await screen.findByRole('combobox', { name: 'Power switch 2 fed by' }))
  const options = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(options).toContain('The UPS (default)')
  expect(options.some((name) => name?.startsWith('Power switch'))).toBe(false)
})

test('all is put back at once, and what is not saved can be cancelled', async () => {
  server.answer(getFeedChain, wired({ computer: 'mains', player: 'ups' }))
  await open()
  await waitFor(async () => expect(await fedBy('The Beaglebone')).toBe('The mains'))
  await userEvent.click(await screen.findByRole('button', { name: 'Reset all to default' }))
  expect(await fedBy('The Beaglebone')).toBe('Power switch 2 (default)')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel wiring' }))
  expect(await fedBy('The Beaglebone')).toBe('The mains')
  expect(sent()).toEqual([])
})

test('a refusal is told in the words of the server, and nothing is lost', async () => {
  server.answer(setFeedChain, new Refusal('invalid_feeds', 'Power switch 1 cannot feed itself.'))
  await open()
  await choose('The Beaglebone', 'The mains')
  await userEvent.click(await screen.findByRole('button', { name: 'Save wiring' }))
  await screen.findByText('Power switch 1 cannot feed itself.')
  expect(await fedBy('The Beaglebone')).toBe('The mains')
})

test('the panel is accessible', async () => {
  server.answer(getFeedChain, wired({ computer: 'mains' }))
  await open()
  const panel = await screen.findByRole('region', { name: 'Power wiring' })
  await within(panel).findByRole('button', { name: /^Reset to Power switch 2 ?, the default of The Beaglebone$/ })
  expect(await axeFindings(panel)).toEqual([])
})
