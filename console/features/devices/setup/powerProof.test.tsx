import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endSession } from '#console/lib/call/sessionStore.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { powerSwitch1Reset } from '#contract/http/devices/commands.ts'
import { getStepUpWays, stepUp } from '#contract/http/people/factors.ts'
import { panel, setupTest } from './testing/setupJourney.tsx'

/** These tests cover power actions for which the server requires a proof, because it has counted earlier ones. */

const PASSWORD = 'the right one'

const setup = setupTest()
let isProved = false
beforeEach(() => {
  isProved = false
  setup.server.answer(powerSwitch1Reset, () => (isProved ? 'Done, says the device' : new Refusal('step_up_required')))
  setup.server.answer(getStepUpWays, { isFresh: false, ways: ['password'] })
  setup.server.answer(stepUp, ({ values }) => {
    isProved = values.password === PASSWORD
    return isProved ? {} : new Refusal('wrong_second_factor')
  })
})

async function pressReset() {
  await setup.open('setup')
  const reset = () => panel('Power switches')
  await setup.user.click((await reset()).getByRole('button', { name: 'Reset: Equipment LCD + PC' }))
  const question = await screen.findByRole('dialog')
  await setup.user.click(await within(question).findByRole('button', { name: 'Yes' }))
  return question
}
const sentCount = () => setup.server.requestsTo(powerSwitch1Reset).length
const asWasRequested = async (question: HTMLElement) => {
  const field = await within(question).findByLabelText(/Password/)
  // Only the dialog of the question may be open.
  expect(screen.getAllByRole('dialog')).toEqual([question])
  expect(question).toHaveTextContent(/Reset "Equipment LCD \+ PC"/)
  return field
}

test('the question turns into one for the proof, and the action is sent once more with it', async () => {
  const question = await pressReset()
  const field = await asWasRequested(question)
  expect(field).toHaveFocus()
  expect(await axeFindings(question)).toEqual([])
  await setup.user.type(field, 'a wrong one')
  await setup.user.click(within(question).getByRole('button', { name: 'Yes' }))
  await within(question).findByText('This is not right, or it was used already.')
  expect(sentCount()).toBe(1)
  await setup.user.clear(await asWasRequested(question))
  await setup.user.type(await asWasRequested(question), PASSWORD)
  await setup.user.click(within(question).getByRole('button', { name: 'Yes' }))
  await screen.findByText('Done, says the device')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sentCount()).toBe(2)
  expect(setup.server.requestsTo(stepUp)).toHaveLength(2)
})

test.each(['Cancel', 'Close'])('whoever answers the proof by %s is told that nothing was done', async (way) => {
  const question = await pressReset()
  await asWasRequested(question)
  await setup.user.click(within(question).getByRole('button', { name: way }))
  await screen.findByText('Please confirm first that it is you.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sentCount()).toBe(1)
})

test('where another tab signs out meanwhile, the question goes', async () => {
  const question = await pressReset()
  await asWasRequested(question)
  endSession('signedOut')
  await waitFor(() => expect(screen.queryByLabelText(/Password/)).toBeNull())
  expect(sentCount()).toBe(1)
})

test('a device that thinks for long does not keep the question open', async () => {
  let answer = (_: string) => {}
  setup.server.answer(powerSwitch1Reset, () => new Promise<string>((resolve) => (answer = resolve)))
  await pressReset()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText('Done at last')).toBeNull()
  answer('Done at last')
  await screen.findByText('Done at last')
})
