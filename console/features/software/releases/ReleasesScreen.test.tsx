import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { releaseListOf, releaseOf } from '#console/testing/releaseOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import {
  deleteRelease,
  LARGEST_RELEASE_BYTES,
  listReleases,
  type ReleaseList,
  uploadRelease,
} from '#contract/http/software/releases.ts'
import { ReleasesScreen } from './ReleasesScreen.tsx'

const { server, open: openEmpty } = screenTest({
  screens: { '/device-software/releases': ReleasesScreen },
  at: '/device-software/releases',
})
let kept: ReleaseList

beforeEach(() => {
  kept = {
    ...releaseListOf('1.2.10', '1.2.9'),
    versions: [
      { version: '1.2.9', deviceCount: 30 },
      { version: '1.2.10', deviceCount: 9 },
      { version: null, deviceCount: 1 },
    ],
  }
  server.answer(listReleases, () => kept)
})

const open = async () => {
  const view = await openEmpty()
  await screen.findByRole('row', { name: /1\.2\.10/ })
  return view
}
const fileOf = (name: string, content: string) => new File([content], name, { type: 'text/javascript' })
const chooseFiles = async (container: HTMLElement, ...files: File[]) => {
  const input = container.querySelector('input[type="file"]') as HTMLInputElement
  await userEvent.upload(input, files)
}
const dropped = (files: readonly File[]) => ({ dataTransfer: { types: ['Files'], files } })

test('each release says what it is, who brought it, how many run it, and which is the default target', async () => {
  kept = { ...kept, rows: [releaseOf('1.2.10', { uploadedBy: '' }), releaseOf('1.2.9', { id: 2, isNewest: false })] }
  const { container } = await open()
  const newest = within(await screen.findByRole('row', { name: /1\.2\.10/ }))
  newest.getByText('Default target')
  newest.getByText('1.23 MB')
  newest.getByText(/found in the folder/)
  newest.getByRole('button', { name: 'Copy SHA-256 of 1.2.10' })
  const older = within(await screen.findByRole('row', { name: /1\.2\.9/ }))
  expect(older.queryByText('Default target')).toBeNull()
  older.getByText(/eva@example\.com/)
  const shares = within(await screen.findByRole('region', { name: 'What devices run' }))
  expect(shares.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '1.2.930',
    '1.2.109',
    'Not reported yet1',
  ])
  expect(await axeFindings(container)).toEqual([])
})

test('a chosen file is sent whole and shows in the list', async () => {
  server.answer(uploadRelease, () => {
    kept = releaseListOf('1.3.0', '1.2.10', '1.2.9')
    return releaseOf('1.3.0')
  })
  const { container } = await open()
  await chooseFiles(container, fileOf('wayside-client-1.3.0.mjs', 'the program: žluťoučký'))
  await screen.findByText('Release 1.3.0 is uploaded. Devices are updated only when you start an update.')
  await screen.findByRole('row', { name: /1\.3\.0/ })
  const sent = server.requestsTo(uploadRelease).map(({ values }) => values)
  expect(sent.map(({ fileName }) => fileName)).toEqual(['wayside-client-1.3.0.mjs'])
  expect(Buffer.from(String(sent[0]?.contentBase64), 'base64').toString()).toBe('the program: žluťoučký')
})

test('files dropped on the page are uploaded; each that is refused stays on the page with the reason', async () => {
  server.answer(uploadRelease, ({ values }) =>
    values.fileName === 'good.mjs'
      ? releaseOf('1.3.0')
      : new Refusal('release_refused', 'The file is damaged: its checksum does not match.'),
  )
  const { container } = await open()
  const files = [fileOf('bad.mjs', 'x'), fileOf('good.mjs', 'y')]
  fireEvent.dragEnter(container, dropped(files))
  await screen.findByText('Drop the release here')
  fireEvent.drop(container, dropped(files))
  const note = await screen.findByRole('alert')
  expect(note).toHaveTextContent('bad.mjs was rejected. The file is damaged: its checksum does not match.')
  await screen.findByText(/Release 1\.3\.0 is uploaded/)
  expect(screen.queryByText('Drop the release here')).toBeNull()
  await userEvent.click(within(note).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByText(/bad\.mjs/)).toBeNull())
})

test('what cannot be a release is refused before it is sent', async () => {
  const { container } = await open()
  await chooseFiles(container, fileOf('empty.mjs', ''), fileOf('large.mjs', 'x'.repeat(LARGEST_RELEASE_BYTES + 1)))
  const note = await screen.findByRole('alert')
  expect(note).toHaveTextContent('empty.mjs was rejected. The file is empty.')
  expect(note).toHaveTextContent('large.mjs was rejected. A release has at most')
  expect(server.requestsTo(uploadRelease)).toEqual([])
})

test('files of the folder that were refused are listed with the reason', async () => {
  const refusedAt = '2026-11-01T10:00:00.000Z'
  kept = { ...kept, refusedFiles: [{ fileName: 'old.mjs', reason: '1.0.0 is older than 1.2.10.', refusedAt }] }
  await open()
  const refused = await screen.findByRole('region', { name: 'Rejected files in the folder' })
  expect(refused).toHaveTextContent('old.mjs')
  expect(refused).toHaveTextContent('1.0.0 is older than 1.2.10.')
  screen.getByText('/data/releases')
})

test('a release is removed after a question; one in use is refused with the reason', async () => {
  server.answer(deleteRelease, new Refusal('release_in_use'))
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove 1.2.9' }))
  const question = within(await screen.findByRole('dialog', { name: 'Remove release' }))
  question.getByText(/devices that run it go on running it/)
  await userEvent.click(question.getByRole('button', { name: 'No' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requestsTo(deleteRelease)).toEqual([])

  await userEvent.click(await screen.findByRole('button', { name: 'Remove 1.2.9' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('Devices are being updated to this release. Stop that update first.')

  server.answer(deleteRelease, () => {
    kept = releaseListOf('1.2.10')
    return true as const
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove 1.2.9' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('Release 1.2.9 is removed.')
  await waitFor(() => expect(screen.queryByRole('row', { name: /1\.2\.9/ })).toBeNull())
  expect(server.requestsTo(deleteRelease).at(-1)).toMatchObject({ method: 'POST', values: { id: 1 } })
})

test('without a release and a key the page says what to do', async () => {
  kept = { ...releaseListOf(), keyCount: 0 }
  await openEmpty()
  await screen.findByText('There is no release yet')
  expect(await screen.findByRole('alert')).toHaveTextContent(/no release key yet/)
})

test('a failed load says so and can be tried again', async () => {
  server.answer(listReleases, new Refusal('internal_error'))
  await openEmpty()
  await screen.findByText('Something went wrong on the server.')
  server.answer(listReleases, kept)
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByRole('row', { name: /1\.2\.10/ })
})
