import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { LicencesScreen } from './LicencesScreen.tsx'

const { server, open } = screenTest({ screens: { '/licences': LicencesScreen }, at: '/licences' })

test('each part stands with its licence, and says its text when it is opened', async () => {
  server.serve('/licences.json', {
    texts: ['Everybody may.', 'Attribution is owed.'],
    parts: [
      { name: 'date-holidays', version: '3.37.0', licence: '(ISC AND CC-BY-3.0)', text: 1 },
      { name: 'react', version: '19.2.0', licence: 'MIT', text: 0 },
    ],
  })
  await open()
  const panel = within(await screen.findByRole('region', { name: 'Third-party software' }))
  expect(panel.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'date-holidays 3.37.0 (ISC AND CC-BY-3.0)',
    'react 19.2.0 MIT',
  ])
  expect(panel.queryByText('Attribution is owed.')).toBeNull()
  await userEvent.click(panel.getByText('date-holidays 3.37.0'))
  expect(await panel.findByText('Attribution is owed.')).toBeVisible()
  expect(await axeFindings(document.body)).toEqual([])
})
