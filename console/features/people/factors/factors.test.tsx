import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { UserBox } from '#console/app/account/UserBox.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { endOneSession, listSessions } from '#contract/http/people/account.ts'
import {
  addAuthenticator,
  getNewAuthenticator,
  getStepUpWays,
  listFactors,
  removeFactor,
  stepUp,
} from '#contract/http/people/factors.ts'

const CHALLENGE = 'A'.repeat(43)
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const CODES = ['abcd-efgh-jkmn-pqrs', 'bcde-fghj-kmnp-qrst']
const PHONE = {
  id: 7,
  kind: 'authenticator',
  name: 'Phone',
  added: '2026-11-01T08:00:00.000Z',
  lastUsed: null,
} as const

const { server, open } = screenTest({ signedIn: 'nobody' })

async function openDialog(item: string) {
  signInAs()
  await open('/here', { '/here': UserBox })
  screen.getByRole('button', { name: /user menu/ }).focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  return within(await screen.findByRole('dialog', { name: item }))
}

test('an authenticator app is added by its first code, and the recovery codes are shown once', async () => {
  let factors: (typeof PHONE)[] = []
  server.answer(listFactors, () => ({ factors, recoveryCodesLeft: factors.length && 10, passkeyOrigin: null }))
  const uri = `otpauth://totp/Wayside:eva?secret=${SECRET}&issuer=Wayside`
  server.answer(getNewAuthenticator, { challenge: CHALLENGE, secret: SECRET, uri })
  const dialog = await openDialog('Second factor')
  await userEvent.click(await dialog.findByRole('button', { name: 'Add authenticator app' }))
  await dialog.findByRole('img', { name: 'QR code for the authenticator app' })
  dialog.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')
  expect(await axeFindings(screen.getByRole('dialog'))).toEqual([])

  server.answer(addAuthenticator, new Refusal('wrong_second_factor', 'This is not the code of this app.'))
  await userEvent.type(dialog.getByLabelText(/Code that the app shows/), '000000')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  await dialog.findByText('This is not the code of this app.')

  server.answer(addAuthenticator, () => {
    factors = [PHONE]
    return { recoveryCodes: CODES }
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  const list = within(await dialog.findByRole('list', { name: 'Recovery codes' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(CODES)
  await userEvent.click(dialog.getByRole('button', { name: 'I have kept them' }))
  await dialog.findByText('Phone')
  dialog.getByText('10 recovery codes are left.')
  expect(screen.queryByText(CODES[0] ?? '')).toBeNull()
})

test('what is confirmed and needs a proof asks for both in one dialog, and is made once', async () => {
  let isProved = false
  server.answer(listFactors, () => ({ factors: [PHONE], recoveryCodesLeft: 3, passkeyOrigin: null }))
  server.answer(removeFactor, () => (isProved ? {} : new Refusal('step_up_required')))
  server.answer(getStepUpWays, { isFresh: false, ways: ['authenticator', 'recoveryCode'] })
  server.answer(stepUp, ({ values }) => {
    isProved = values.code === '123456'
    return isProved ? {} : new Refusal('wrong_second_factor')
  })
  const dialog = await openDialog('Second factor')
  await userEvent.click(await dialog.findByRole('button', { name: 'Remove Phone' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Remove second factor' }))
  await userEvent.type(await asked.findByLabelText(/Code/), '000000')
  expect(await axeFindings(screen.getByRole('dialog', { name: 'Remove second factor' }))).toEqual([])
  await userEvent.click(asked.getByRole('button', { name: 'Yes' }))
  await asked.findByText('This is not right, or it was used already.')
  await userEvent.clear(asked.getByLabelText(/Code/))
  await userEvent.type(asked.getByLabelText(/Code/), '123456')
  await userEvent.click(asked.getByRole('button', { name: 'Yes' }))
  await screen.findByText('The second factor is removed: Phone.')
  expect(server.requestsTo(removeFactor)).toHaveLength(1)
  expect(screen.queryByRole('dialog', { name: 'Confirm your identity' })).toBeNull()
})

test('who has just proved who they are is only asked whether they want it', async () => {
  server.answer(listFactors, () => ({ factors: [PHONE], recoveryCodesLeft: 3, passkeyOrigin: null }))
  server.answer(removeFactor, {})
  const dialog = await openDialog('Second factor')
  await userEvent.click(await dialog.findByRole('button', { name: 'Remove Phone' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Remove second factor' }))
  await userEvent.click(await asked.findByRole('button', { name: 'Yes' }))
  await screen.findByText('The second factor is removed: Phone.')
  expect(server.requestsTo(stepUp)).toEqual([])
})

test('who does not want to prove anything is told that it was not done', async () => {
  const session = { id: 1, device: 'Firefox on Linux', address: '', isCurrent: false, isBound: true }
  const times = { started: PHONE.added, lastUsed: PHONE.added, ends: PHONE.added }
  server.answer(listSessions, [{ ...session, ...times }])
  server.answer(endOneSession, new Refusal('step_up_required'))
  server.answer(getStepUpWays, { isFresh: false, ways: ['password'] })
  const dialog = await openDialog('Sessions')
  await userEvent.click(await dialog.findByRole('button', { name: 'End session: Firefox on Linux' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }))
  await asked.findByLabelText(/Password/)
  await userEvent.click(asked.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('Please confirm first that it is you.')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm your identity' })).toBeNull())
  expect(server.requestsTo(endOneSession)).toHaveLength(1)
})
