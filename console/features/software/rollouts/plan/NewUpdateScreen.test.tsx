import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { clientUpdateOf } from '#console/testing/clientUpdateOf.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { releaseListOf } from '#console/testing/releaseOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { listCustomers, listDeviceModels } from '#contract/http/operation/lookups.ts'
import { listReleases } from '#contract/http/software/releases.ts'
import {
  createClientUpdate,
  listClientUpdates,
  previewClientUpdate,
  type UpdatePreview,
  updatePreview,
} from '#contract/http/software/rollouts.ts'
import { UpdatesScreen } from '../UpdatesScreen.tsx'
import { NewUpdateScreen } from './NewUpdateScreen.tsx'

const { server, open } = screenTest({
  screens: {
    '/device-software/rollouts': UpdatesScreen,
    '/device-software/rollouts/new': NewUpdateScreen,
    '/device-software/rollouts/$updateId': () => <p>how it goes</p>,
  },
  at: '/device-software/rollouts/new',
})
let preview: UpdatePreview

beforeEach(() => {
  preview = previewOf()
  server.answer(listReleases, releaseListOf('1.2.3', '1.2.2'))
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDeviceModels, [{ id: 16, name: 'AED kiosk' }])
  server.answer(previewClientUpdate, () => preview)
  server.answer(createClientUpdate, clientUpdateOf({ id: 9 }))
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDeviceById, deviceOf())
})

function previewOf(changes: object = {}): UpdatePreview {
  return updatePreview.parse({
    chosenCount: 44,
    updateCount: 40,
    offlineCount: 3,
    downgradeCount: 0,
    unknownVersionCount: 0,
    alreadyThereCount: 2,
    deactivatedCount: 1,
    beingUpdatedCount: 1,
    waves: [1, 4, 15, 20],
    ...changes,
  })
}
const start = () => screen.findByRole('button', { name: 'Start update' })
const sent = () => server.requestsTo(createClientUpdate).map(({ values }) => values)
const lastRequested = () => server.requestsTo(previewClientUpdate).at(-1)?.values

test('before the first update the page says what the newest release would change, and leads to a plan', async () => {
  server.answer(listClientUpdates, { rows: [], next: null })
  await open('/device-software/rollouts')
  await screen.findByText('1.2.3 is the newest release, and no update to it was made yet')
  screen.getByText('40 of 44 devices would be updated, 3 of them when they come back. 2 run it already.')
  expect(screen.getByRole('link', { name: 'Plan an update' })).toHaveAttribute('href', '/device-software/rollouts/new')
})

test('the newest release is the target, and what it means is said before anything is started', async () => {
  const { container } = await open()
  await screen.findByText(/of 44 devices will be updated/)
  const side = within(await screen.findByRole('region', { name: 'What this means now' }))
  expect(side.getByRole('status')).toHaveTextContent('40 of 44 devices will be updated to 1.2.3')
  expect(side.getByRole('region', { name: 'Of these' })).toHaveTextContent('3 offline: updated when they come back')
  expect(side.getByRole('region', { name: 'Left out' })).toHaveTextContent('2 run this version already')
  expect(
    within(side.getByRole('table', { name: 'Devices in each wave' }))
      .getAllByRole('row')
      .at(-1),
  ).toHaveTextContent(/^4\d+ min after wave 320100 %$/)
  expect(lastRequested()).toEqual({ releaseId: 2, choice: {}, firstGroup: 1, wavePercents: [10, 50, 100] })
  expect(screen.queryByText(/This is a downgrade/)).toBeNull()
  expect(await axeFindings(container)).toEqual([])
  expect(sent()).toEqual([])
})

test('after a question that names count and version the update begins, and its page opens', async () => {
  const { address } = await open()
  await waitFor(async () => expect(await start()).toBeEnabled())
  await userEvent.click(await start())
  const question = await screen.findByRole('dialog', { name: 'Start update' })
  expect(question).toHaveTextContent('Update 40 devices to 1.2.3, beginning now with one device?')
  await userEvent.click(within(question).getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([])

  await userEvent.click(await start())
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('how it goes')
  expect(address()).toBe('/device-software/rollouts/9')
  expect(sent()).toEqual([
    {
      releaseId: 2,
      choice: {},
      firstGroup: 1,
      wavePercents: [10, 50, 100],
      waitMinutes: 60,
      observeMinutes: 30,
      haltFailurePercent: 5,
      downgradeMeant: false,
    },
  ])
})

test('an older target says that it is a downgrade and needs a tick, which another target takes away', async () => {
  preview = previewOf({ downgradeCount: 5 })
  await open()
  const target = await screen.findByRole('combobox', { name: 'Release' })
  const choose = async (name: string) => {
    await userEvent.click(target)
    await userEvent.click(await screen.findByRole('option', { name }))
  }
  await choose('1.2.2')
  await screen.findByText(
    'This is a downgrade. 1.2.3 is newer than 1.2.2. 5 of the chosen devices run a newer version and would go back.',
  )
  await waitFor(() => expect(lastRequested()).toMatchObject({ releaseId: 1 }))
  expect(await start()).toBeDisabled()
  const tick = () => screen.findByRole('checkbox', { name: 'Yes, downgrade these devices' })
  await userEvent.click(await tick())
  await waitFor(async () => expect(await start()).toBeEnabled())
  await choose('1.2.3 (newest)')
  await choose('1.2.2')
  expect(await tick()).not.toBeChecked()
  await userEvent.click(await tick())
  await waitFor(async () => expect(await start()).toBeEnabled())
  await userEvent.click(await start())
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('how it goes')
  expect(sent()).toMatchObject([{ releaseId: 1, downgradeMeant: true }])
})

test('devices are chosen by customer, model and the selection of the list', async () => {
  await open('/device-software/rollouts/new?devices=4,5')
  await screen.findByText('2 devices selected in the list')
  await userEvent.click(await screen.findByRole('combobox', { name: 'Customer' }))
  await userEvent.click(await screen.findByRole('option', { name: 'City Media' }))
  await userEvent.click(await screen.findByRole('combobox', { name: 'Model' }))
  await userEvent.click(await screen.findByRole('option', { name: 'AED kiosk' }))
  await waitFor(() =>
    expect(lastRequested()).toMatchObject({ choice: { customerId: 3, modelId: 16, deviceIds: [4, 5] } }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Remove: 2 devices selected in the list' }))
  await waitFor(() => expect(lastRequested()?.choice).toEqual({ customerId: 3, modelId: 16 }))
})

test('first group, waves, wait and halt share are edited', async () => {
  await open()
  await userEvent.click(await screen.findByRole('radio', { name: 'By name' }))
  await userEvent.click(await screen.findByRole('combobox', { name: 'Add a device' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Praha 0001' }))
  const group = await screen.findByRole('list', { name: 'Devices of the first group' })
  await within(group).findByText('Praha 0001')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the wave of 10 %' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Add a wave' }))
  const type = async (name: string, text: string) => {
    const field = await screen.findByRole('textbox', { name })
    await userEvent.clear(field)
    await userEvent.type(field, `${text}{Enter}`)
  }
  await type('Share of wave 1', '20')
  await type('Wait between waves', '5')
  await type('Halt at failure share', '25')
  await waitFor(() => expect(lastRequested()).toMatchObject({ firstGroup: [1], wavePercents: [20, 75, 100] }))
  await waitFor(async () => expect(await start()).toBeEnabled())
  await userEvent.click(await start())
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('how it goes')
  expect(sent()).toMatchObject([
    { firstGroup: [1], wavePercents: [20, 75, 100], waitMinutes: 5, haltFailurePercent: 25 },
  ])
})

test('a share that would not rise is brought between its neighbours', async () => {
  await open()
  const field = await screen.findByRole('textbox', { name: 'Share of wave 1' })
  await userEvent.clear(field)
  await userEvent.type(field, '90{Enter}')
  await waitFor(() => expect(lastRequested()).toMatchObject({ wavePercents: [49, 50, 100] }))
})

test('what is longer than the server takes is brought within what it takes', async () => {
  await open()
  const type = async (name: string, text: string) => {
    const field = await screen.findByRole('textbox', { name })
    await userEvent.clear(field)
    await userEvent.type(field, `${text}{Enter}`)
    return field
  }
  expect(await type('Wait between waves', '20000')).toHaveValue('10,080 min')
  expect(await type('Halt at failure share', '0')).toHaveValue('1 %')
})

test('where no device is left to update nothing can be started', async () => {
  preview = previewOf({ updateCount: 0, waves: [], alreadyThereCount: 42 })
  await open()
  const total = await screen.findByText(/of 44 devices will be updated/)
  expect(total).toHaveTextContent('0 of 44 devices')
  expect(await start()).toBeDisabled()
})

test('what the server refuses is said, and the preview is asked anew', async () => {
  server.answer(createClientUpdate, new Refusal('nothing_to_update'))
  await open()
  await waitFor(async () => expect(await start()).toBeEnabled())
  const asked = server.requestsTo(previewClientUpdate).length
  await userEvent.click(await start())
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('None of the chosen devices can be updated to this release.')
  await waitFor(() => expect(server.requestsTo(previewClientUpdate).length).toBeGreaterThan(asked))
})

test('a first group that names a device outside the choice is told, and cannot be started', async () => {
  server.answer(previewClientUpdate, new Refusal('invalid_request'))
  await open()
  await screen.findByText('The first group names a device that is not among the chosen ones.')
  expect(await start()).toBeDisabled()
})

test('without a release the way to one is shown', async () => {
  server.answer(listReleases, releaseListOf())
  await open()
  await screen.findByText('There is no release to update to yet')
  await screen.findByRole('link', { name: 'Device software' })
})
