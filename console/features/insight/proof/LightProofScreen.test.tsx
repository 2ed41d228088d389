import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { watchDownloads } from '#console/testing/downloads.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { listProofKeys, provePlays, rotateProofKey, type SignedProof } from '#contract/http/insight/lightProofs.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { LightProofScreen } from './LightProofScreen.tsx'

const { server, open } = screenTest({ screens: { '/proof-of-light': LightProofScreen }, at: '/proof-of-light' })

const GUID = '0b7e9a52-0000-4000-8000-000000000001' as DeviceGuid
const KEY = {
  ...{ id: '04c1b7e2a9d05f31', publicKey: '-----BEGIN PUBLIC KEY-----', signsSince: '2026-11-01T00:00:00.000Z' },
  signedUntil: null,
}
const PLAY = { device: GUID, display: 1, from: '2026-11-01T17:00:00Z', to: '2026-11-01T17:00:15Z', play: 'spot-1' }
const ANSWER: SignedProof = {
  proof: {
    ...{ version: 1, issuer: 'https://wayside.example', answeredAt: '2026-11-02T08:00:00.000Z' },
    devices: [{ id: 17 as DeviceId, guid: GUID, name: 'Pier' }],
    plays: [
      {
        ...PLAY,
        verdict: 'lit',
        certainty: 'high',
        evidence: 'panelLight',
        lit: 15,
        dark: 0,
        unknown: 0,
        measured: 15,
      },
      {
        ...{ ...PLAY, device: '18', verdict: 'unknown', certainty: 'none', evidence: 'none', reason: 'noDevice' },
        ...{ lit: 0, dark: 0, unknown: 15, measured: 0 },
      },
    ],
  },
  signature: { algorithm: 'Ed25519', keyId: KEY.id, value: 'c2lnbmVk' },
}

beforeEach(() => {
  server.answer(listProofKeys, [KEY])
  server.answer(provePlays, ANSWER)
})

const HEAD = 'device,display,from,seconds,play'
const LINES = ['17,1,2026-11-01T17:00:00Z,15,spot-1', '18,1,2026-11-01T17:00:00Z,15,spot-2']

async function upload(...lines: readonly string[]) {
  const file = new File([[HEAD, ...lines].join('\n')], 'plays.csv', { type: 'text/csv' })
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, file)
  return within(await screen.findByRole('region', { name: 'plays.csv' }))
}

test('a list is proved after somebody has seen it, and each answer leads to its evidence', async () => {
  const { container } = await open()
  await screen.findByRole('button', { name: 'Upload plays (csv)' })
  const list = await upload(...LINES)
  expect(server.requestsTo(provePlays)).toHaveLength(0)
  await userEvent.click(list.getByRole('button', { name: 'Prove 2 plays' }))
  const link = await screen.findByRole('link', { name: 'Pier, display 1' })
  expect(link.getAttribute('href')).toContain(`/devices/${GUID}/status?view=timeline&dateFrom=2026-11-01T16%3A50`)
  expect(server.requestsTo(provePlays)[0]?.values).toEqual({ plays: [HEAD, ...LINES].join('\n') })
  const table = within(screen.getByRole('table', { name: 'Plays' }))
  expect(table.getByText('Measured at the panel')).toBeVisible()
  expect(table.getByText('No such device at that time')).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
})

test('each line that cannot be read is named, and left out if somebody wants so', async () => {
  await open()
  await screen.findByRole('button', { name: 'Upload plays (csv)' })
  const list = await upload(LINES[0] as string, '17,1,yesterday,15,')
  expect(list.getByRole('alert')).toHaveTextContent('1 line cannot be read.')
  expect(list.getByRole('row', { name: /^3 from is no moment with a time zone/ })).toBeVisible()
  await userEvent.click(list.getByRole('button', { name: 'Leave out 1 line, prove 1 play' }))
  await waitFor(() => expect(server.requestsTo(provePlays)).toHaveLength(1))
  expect(server.requestsTo(provePlays)[0]?.values).toEqual({ plays: `${HEAD}\n${LINES[0]}` })
})

test('the file that is saved is what was signed', async () => {
  const saved = watchDownloads()
  await open()
  await screen.findByRole('button', { name: 'Upload plays (csv)' })
  const list = await upload(...LINES)
  await userEvent.click(list.getByRole('button', { name: 'Prove 2 plays' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Download signed (json)' }))
  expect(saved[0]?.name).toBe('lightProof_2026-11-02.json')
  expect(JSON.parse((await saved[0]?.file.text()) ?? '')).toEqual(ANSWER)
})

test('a staff admin replaces the key, and others only read the keys', async () => {
  server.answer(rotateProofKey, KEY)
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Replace key' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(server.requestsTo(rotateProofKey)).toHaveLength(1))
})

test('a customer reads the keys and replaces none', async () => {
  signInAs({ customerId: 7, roleFunctions: [8] })
  await open()
  expect(await screen.findByText(KEY.id)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Replace key' })).not.toBeInTheDocument()
})
