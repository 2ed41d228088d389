import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { type FilePreview, importDevices, previewDeviceFile } from '#contract/http/devices/deviceFiles.ts'
import { ImportModal } from './ImportModal.tsx'

let closed = 0
const { server, open } = screenTest({
  screens: { '/': () => <ImportModal isOpen onClose={() => closed++} /> },
  at: '/',
})
const RIGHT: FilePreview = {
  ...{ added: 1, changed: 1, unchanged: 0, problems: [], problemCount: 0 },
  rows: [
    { line: 2, kind: 'added', name: 'Pier 1', customerName: 'Nordlys', changes: ['name'] },
    { line: 3, kind: 'changed', name: 'Pier 2', customerName: 'Nordlys', changes: ['address', 'tags'] },
  ],
}
const reason = 'There is no customer “Nordlis”.'
const WRONG: FilePreview = {
  ...RIGHT,
  ...{ problems: [{ line: 3, column: 'customer', reason }], problemCount: 1 },
}
beforeEach(() => {
  closed = 0
  server.answer(importDevices, { added: 1, changed: 1, unchanged: 0 })
})

const choose = async (bytes: string | Uint8Array<ArrayBuffer>) => {
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')
  if (input) await userEvent.upload(input, new File([bytes], 'devices.csv', { type: 'text/csv' }))
}
const take = () => screen.findByRole('button', { name: 'Import' })

test('a file is shown as what it would do, and taken as it was read', async () => {
  server.answer(previewDeviceFile, RIGHT)
  await open()
  expect(await take()).toHaveProperty('disabled', true)
  // A spreadsheet of Windows writes its own letters.
  await choose(Uint8Array.from([...'name;address\nPier;Kaistra'].map((sign) => sign.charCodeAt(0)).concat(0xdf, 0x65)))
  await screen.findByText('1 to add, 1 to change, 0 unchanged.')
  await screen.findByRole('table', { name: 'Devices of the file' })
  expect(await axeFindings(document.body)).toEqual([])
  await userEvent.click(await take())
  await screen.findByText('1 added, 1 changed.')
  expect(closed).toBe(1)
  expect(server.requestsTo(importDevices).map(({ values }) => values)).toEqual([
    { csv: 'name;address\nPier;Kaistraße' },
  ])
})

test('each wrong cell is named by its place, and nothing can be taken until the file is right', async () => {
  server.answer(previewDeviceFile, WRONG)
  await open()
  await choose('name;customer\nPier;Nordlis')
  await screen.findByText(/^One cell is wrong, so nothing can be imported/)
  const wrong = within(await screen.findByRole('table', { name: 'Wrong cells' }))
  wrong.getByRole('row', { name: `3 customer ${reason}` })
  expect(await take()).toHaveProperty('disabled', true)
  server.answer(previewDeviceFile, RIGHT)
  await choose('name;customer\nPier;Nordlys')
  await waitFor(async () => expect(await take()).toHaveProperty('disabled', false))
  expect(screen.queryByText(reason)).toBeNull()
})
