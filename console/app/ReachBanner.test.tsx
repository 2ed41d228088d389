import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useCall } from '#console/lib/call/useCall.ts'
import { passTimeUntil, takeClock } from '#console/testing/clock.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { getDashboardValues, getWrongNow, type WrongNow } from '#contract/http/insight/overview.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { getClientAuthData } from '#contract/http/people/signIn.ts'
import { WRONG_KINDS } from '#domain/darkness/wrongKinds.ts'
import type { CustomerId } from '#domain/ids.ts'
import { ReachBanner } from './ReachBanner.tsx'

const EVERY_MS = 2_000

function Page() {
  const customers = useCall(listCustomers, {}, { refreshEveryMs: EVERY_MS })
  const values = useCall(getDashboardValues, {}, { enabled: customers.isSuccess })
  const wrong = useCall(getWrongNow, {}, { enabled: customers.isSuccess })
  return (
    <>
      <ReachBanner />
      <AsyncView query={customers}>{(rows) => <p>{rows.map(({ name }) => name).join()}</p>}</AsyncView>
      <AsyncView query={values}>{(rows) => <p>{rows.length} tiles</p>}</AsyncView>
      <AsyncView query={wrong}>{({ devices }) => <p>{devices} wrong</p>}</AsyncView>
    </>
  )
}

const { server, open } = screenTest({ at: '/page', screens: { '/page': Page } })
const attention = { all: 0, dark: 0, silent: 0, alerted: 0, onBattery: 0, other: 0, rollout: 0, excused: 0 }
const counts = Object.fromEntries(WRONG_KINDS.map((kind) => [kind, 0])) as WrongNow['counts']

test('while the server does not answer one banner says so, what is held stays, and all comes back by itself', async () => {
  takeClock()
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Harbour' }])
  server.answer(getDashboardValues, new Refusal('not_ready'))
  server.answer(getWrongNow, new Refusal('not_ready'))
  server.answer(getClientAuthData, new Refusal('not_ready'))
  await open()
  await screen.findByText('Harbour')
  server.answer(listCustomers, new Refusal('not_ready'))
  await passTimeUntil(() => screen.getByText(/The server cannot be reached/))
  await passTimeUntil(() => expect(screen.getAllByText('Could not be loaded')).toHaveLength(2))
  expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    expect.stringMatching(/^The server cannot be reached; shown as of (\d\d\.\d\d\.\d\d )?\d\d:\d\d\.Try again$/),
  ])
  screen.getByText('Harbour')

  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Quay' }])
  server.answer(getDashboardValues, [])
  server.answer(getWrongNow, { counts, devices: 3, activeDevices: 9, attention, rowCount: 0, rows: [] })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await passTimeUntil(() => screen.getByText('3 wrong'))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  screen.getByText('Quay')
  screen.getByText('0 tiles')
})

test('one call that fails is no lost server', async () => {
  takeClock()
  server.answer(listCustomers, [{ id: 7 as CustomerId, name: 'Harbour' }])
  server.answer(getDashboardValues, [])
  server.answer(getWrongNow, new Refusal('not_ready'))
  server.answer(getClientAuthData, new Refusal('forbidden'))
  await open()
  let hasBanner = false
  const watcher = new MutationObserver(() => {
    hasBanner ||= screen.queryByText(/The server cannot be reached/) !== null
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  await passTimeUntil(() => screen.getByText('Could not be loaded'))
  watcher.disconnect()
  expect(server.requestsTo(getClientAuthData)).not.toEqual([])
  expect(hasBanner).toBe(false)
})
