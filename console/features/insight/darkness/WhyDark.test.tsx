import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { type DarknessLink, type DarknessWalk, getDarkness } from '#contract/http/insight/darkness.ts'
import { WhyDark } from './WhyDark.tsx'

const { server, open: draw } = screenTest()

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const linkOf = (changes: Partial<DarknessLink> & Pick<DarknessLink, 'kind' | 'name'>): DarknessLink => ({
  state: 'ok',
  finding: null,
  sentence: '',
  evidence: [],
  ...changes,
})
const LOST: DarknessWalk = {
  displayNumber: 1,
  displayName: 'Front display',
  verdict: {
    kind: 'broken',
    finding: 'sourceLost',
    link: 'content',
    sentence: 'Front display is dark: the display gets no picture from its computer.',
    action: {
      kind: 'command',
      words: 'Reset: Power switch 1',
      section: 'Power switches',
      control: 'powerSwitch/1/reset',
    },
  },
  links: [
    linkOf({
      kind: 'mains',
      name: 'Mains',
      sentence: 'The UPS sees the power grid.',
      evidence: [{ label: 'UPS status', text: 'On power grid', at: secondsAgo(30), isStale: false }],
    }),
    linkOf({
      kind: 'content',
      name: 'Content',
      state: 'broken',
      finding: 'sourceLost',
      sentence: 'The display gets no picture from its computer.',
      evidence: [{ label: 'Out-of-order status', text: 'Out of order', at: secondsAgo(45), isStale: false }],
    }),
  ],
}
const UNKNOWN: DarknessWalk = {
  displayNumber: 2,
  displayName: 'Left display',
  verdict: {
    kind: 'unknown',
    finding: 'offline',
    link: 'mains',
    sentence: 'The device is offline, so its current state is unknown.',
    action: { kind: 'sendSomebody', words: 'Send a technician', section: null, control: null },
  },
  links: [
    linkOf({
      kind: 'mains',
      name: 'Mains',
      state: 'unknown',
      finding: 'offline',
      sentence: '"UPS status" is too old to count.',
      evidence: [{ label: 'UPS status', text: 'On battery', at: secondsAgo(900), isStale: true }],
    }),
    linkOf({ kind: 'ups', name: 'UPS', state: 'notLookedAt' }),
  ],
}

async function open(modelId = 1) {
  const device = deviceOf({ modelId })
  const view = await draw('/', {
    '/': () => (
      <OpenDevice.Provider value={device}>
        <WhyDark />
      </OpenDevice.Provider>
    ),
    '/devices/$guid/setup': () => <p>Setup</p>,
    '/devices/$guid/generic-setup': () => <p>Generic setup</p>,
  })
  act(() => runWhenAvailable('device.whyDark'))
  return view
}
const answer = (...walks: DarknessWalk[]) => server.answer(getDarkness, { at: secondsAgo(1), walks })
const linkNamed = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement)

test('the verdict stands above the chain, each link with its state, its evidence and the age of that', async () => {
  answer(LOST)
  await open()
  await screen.findByText(LOST.verdict.sentence)
  const content = await linkNamed('Content')
  content.getByText('Broken')
  content.getByText('Out of order')
  expect(content.getByText(/s ago$/)).toBeTruthy()
  ;(await linkNamed('Mains')).getByText('OK')
})

test('the action leads to where it is done, and closes the panel', async () => {
  answer(LOST)
  await open()
  const action = await screen.findByRole('link', { name: 'Reset: Power switch 1' })
  expect(action.getAttribute('href')).toMatch(/\/setup#powerswitch-1-reset$/)
  await userEvent.click(action)
  await screen.findByText('Setup')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('of any other model the action leads to its own setup', async () => {
  answer(LOST)
  await open(22)
  const action = await screen.findByRole('link', { name: 'Reset: Power switch 1' })
  expect(action.getAttribute('href')).toMatch(/\/generic-setup#powerswitch-1-reset$/)
})

test('what is unknown says so, shows what is too old, and offers nothing to press', async () => {
  answer(UNKNOWN)
  await open()
  await screen.findByText(UNKNOWN.verdict.sentence)
  const mains = await linkNamed('Mains')
  mains.getByText('Unknown')
  mains.getByText(/15 min ago/)
  mains.getByText(/, too old$/)
  ;(await linkNamed('UPS')).getByText('Not checked')
  await screen.findByText('Send a technician')
  expect(screen.queryByRole('link')).toBeNull()
})

test('of several displays the one that needs somebody most comes first, and each can be chosen', async () => {
  answer(UNKNOWN, LOST)
  await open()
  await screen.findByText(LOST.verdict.sentence)
  await userEvent.click(await screen.findByRole('radio', { name: 'Left display' }))
  await screen.findByText(UNKNOWN.verdict.sentence)
  expect(screen.queryByText(LOST.verdict.sentence)).toBeNull()
})

test('looking again asks again', async () => {
  answer(LOST)
  await open()
  await screen.findByText(LOST.verdict.sentence)
  answer(UNKNOWN)
  await userEvent.click(await screen.findByRole('button', { name: 'Check again' }))
  await screen.findByText(UNKNOWN.verdict.sentence)
})

test('a device without displays, and a question that fails, say so', async () => {
  answer()
  const empty = await open()
  await screen.findByText('This device has no display')
  empty.unmount()
  server.answer(getDarkness, new Refusal('internal_error'))
  await open()
  await screen.findByText('Could not be loaded')
})

test('the panel is accessible', async () => {
  answer(UNKNOWN, LOST)
  await open()
  await screen.findByText(LOST.verdict.sentence)
  expect(await axeFindings(await screen.findByRole('dialog'))).toEqual([])
})
