import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { incidentOf } from '#console/testing/incidentOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import type { CustomerId } from '#domain/ids.ts'
import { IncidentsPanel } from './IncidentsPanel.tsx'

const { server, open } = screenTest({
  screens: { '/overview': () => <IncidentsPanel customerId={3 as CustomerId} /> },
  at: '/overview',
})

test('the worst active incidents stand there with who has them, and their number leads to as many rows', async () => {
  const rows = [
    incidentOf({ ownerName: 'jan@city.example', ownerId: 5 }),
    incidentOf({ id: 6, title: 'Depo 3: Silent' }),
  ]
  server.answer(listIncidents, { rows, total: 5, alertCount: 40 })
  const { container } = await open()
  const worst = within(await screen.findByRole('list', { name: 'Worst incidents first' }))
  const router = worst.getByRole('link', {
    name: /Am Ring 12: Router off.*1 \+ 12 alerts.*jan@city.example.*13 devices/,
  })
  expect(router).toHaveAttribute('href', '/incidents/incident?data=%7B%22id%22%3A7%7D')
  expect(server.requestsTo(listIncidents).map(({ values }) => values)).toEqual([
    { state: 'active', customerId: '3', rowNum: '1', pageSize: '3' },
  ])
  expect(screen.getByRole('link', { name: 'All 5 active' })).toHaveAttribute(
    'href',
    '/incidents?state=active&customerId=3',
  )
  expect(await axeFindings(container)).toEqual([])
})

test('that none is active is said, and that nobody could tell as well', async () => {
  server.answer(listIncidents, { rows: [], total: 0, alertCount: 0 })
  const { unmount } = await open()
  await screen.findByText('No incident is active.')
  expect(screen.getByRole('link', { name: 'All incidents' })).toHaveAttribute('href', '/incidents?customerId=3')
  unmount()
  server.answer(listIncidents, new Refusal('not_found'))
  await open()
  await screen.findByText('Could not be loaded')
})
