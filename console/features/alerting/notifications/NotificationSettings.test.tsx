import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { UserBox } from '#console/app/account/UserBox.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import {
  getNotificationSettings,
  type NotificationSettings,
  setNotificationSettings,
} from '#contract/http/people/account.ts'

const { server, open: draw } = screenTest({ screens: { '/here': UserBox }, at: '/here' })
let kept: NotificationSettings

beforeEach(() => {
  kept = { isEmailOn: true, email: 'alerts@example.com', mayReceive: true }
  server.answer(getNotificationSettings, () => kept)
  server.answer(setNotificationSettings, ({ values }) => {
    kept = { ...kept, isEmailOn: values.isEmailOn === true }
    return kept
  })
})

async function open() {
  await draw()
  screen.getByRole('button', { name: /user menu/ }).focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Notification settings' }))
  return within(await screen.findByRole('dialog', { name: 'Notification settings' }))
}
const sent = () => server.requestsTo(setNotificationSettings).map(({ values }) => values)

test('the user menu leads to them; they say where e-mails go, and switch them off', async () => {
  const dialog = await open()
  const email = await dialog.findByRole('switch', { name: /Alert e-mails/ })
  dialog.getByText('alerts@example.com')
  expect(email).toBeChecked()
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])
  email.focus()
  await userEvent.keyboard(' ')
  await waitFor(() => expect(email).not.toBeChecked())
  expect(sent()).toEqual([{ isEmailOn: false }])
  expect(kept.isEmailOn).toBe(false)
})

test('a refused change is told, and the switch goes back', async () => {
  server.answer(setNotificationSettings, new Refusal('internal_error', 'Not now'))
  const dialog = await open()
  const email = await dialog.findByRole('switch', { name: /Alert e-mails/ })
  await userEvent.click(email)
  await screen.findByText('Not now')
  await waitFor(() => expect(email).toBeChecked())
})

test('who gets nothing because of the role is told so, and has nothing to switch', async () => {
  kept = { isEmailOn: true, email: 'eva@example.com', mayReceive: false }
  const dialog = await open()
  await dialog.findByText(/Your role Administrator does not receive alert e-mails/)
  const email = dialog.getByRole('switch', { name: /Alert e-mails/ })
  expect(email).toBeDisabled()
  expect(email).not.toBeChecked()
})

test('who has no address is told that nothing can be sent', async () => {
  kept = { isEmailOn: true, email: '', mayReceive: true }
  const dialog = await open()
  await dialog.findByText(/no e-mail address for notifications/)
  dialog.getByText('No address')
})
