import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { deviceSettingsView, getDeviceSettings } from '#contract/http/devices/setup.ts'
import { SettingsNotTaken } from './SettingsNotTaken.tsx'

const askToRenew = vi.fn()

/** It stands for the header of a device, which asks before it renews the key. */
function Page() {
  usePaletteCommands([{ actionId: 'device.renewKey', label: 'Renew key', run: askToRenew }])
  return <SettingsNotTaken device={deviceOf()} />
}

const { server, open } = screenTest({ screens: { '/here': Page }, at: '/here' })

const answer = (versionsUsedUpSince: string | null) =>
  server.answer(
    getDeviceSettings,
    deviceSettingsView.parse({
      ...{ deviceId: 1, version: 2, versionsUsedUpSince, timeZone: 'Europe/Prague', position: null, isOnline: true },
      ...{ knowsDayPlans: true, knowsBatteryTests: true, knowsDataBudgets: true, sections: [], holidays: [] },
    }),
  )

beforeEach(() => askToRenew.mockClear())

test('a device whose versions are used up says what does not reach it, and leads to the renewal of its key', async () => {
  answer(new Date(Date.now() - 180_000).toISOString())
  const { container } = await open()
  const notice = await screen.findByRole('status')
  expect(notice).toHaveTextContent('This device ignores new settings. First seen 3 min ago.')
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Renew key' }))
  expect(askToRenew).toHaveBeenCalledTimes(1)
})

test('who may not renew keys is told whom to ask', async () => {
  signInAs({ roleFunctions: [5] })
  answer(new Date().toISOString())
  await open()
  expect(await screen.findByRole('status')).toHaveTextContent('Ask a device manager to do this.')
  expect(screen.queryByRole('button')).toBeNull()
})

test('of a device that takes settings nothing is said', async () => {
  answer(null)
  await open()
  await vi.waitFor(() => expect(server.requestsTo(getDeviceSettings)).toHaveLength(1), 30_000)
  await vi.waitFor(() => expect(screen.queryByRole('status')).toBeNull(), 30_000)
})
