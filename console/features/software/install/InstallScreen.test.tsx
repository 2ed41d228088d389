import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getInstallPackages, type InstallPackages } from '#contract/http/software/installPackages.ts'
import { InstallScreen } from './InstallScreen.tsx'

const { server, open } = screenTest({ screens: { '/install': InstallScreen }, at: '/install' })
const none: InstallPackages = { files: [], releaseKey: null, refusal: null, serverUrl: 'https://wayside.example' }

test('the command names the server and the release key, and each package says what it is for', async () => {
  const key = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
  const file = {
    version: '1.2.3',
    architecture: 'arm64',
    form: 'deb',
    bytes: 28_000_000,
    sha256: 'ab'.repeat(32),
  } as const
  server.answer(getInstallPackages, () => ({
    ...none,
    releaseKey: key,
    files: [{ ...file, fileName: 'wayside-client_1.2.3_arm64.deb' }],
  }))
  const { container } = await open()
  const panel = within(await screen.findByRole('region', { name: 'Install the client on a device' }))
  panel.getByText(
    new RegExp(`sudo sh install.sh --server https://wayside.example .*--key ${key.replaceAll('/', '\\/')}`, 's'),
  )
  panel.getByRole('button', { name: 'Copy command' })
  panel.getByRole('button', { name: 'Copy release key' })
  const row = within(screen.getByRole('row', { name: /wayside-client_1\.2\.3_arm64\.deb/ }))
  row.getByText('64-bit ARM (arm64)')
  row.getByText('28 MB')
  expect(row.getByRole('link').getAttribute('href')).toBe('/install/wayside-client_1.2.3_arm64.deb')
  expect(await axeFindings(container)).toEqual([])
})

test('without packages it says how to make them, and why those that are there are not offered', async () => {
  server.answer(getInstallPackages, () => ({
    ...none,
    refusal: 'The packages were not signed with a release key of this server.',
  }))
  await open()
  await screen.findByText('There are no packages yet')
  screen.getByText(/npm run installer/)
  screen.getByText(/were not signed with a release key/)
})
