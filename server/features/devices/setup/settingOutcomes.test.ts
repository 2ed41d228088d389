import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BULK_HEADER } from '#contract/call/call.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { type CommandFixture, commandFixture, type PlayedDevice } from '#server/testing/wholeServer/commandFixture.ts'

let fixture: CommandFixture
beforeAll(async () => {
  fixture = await commandFixture({ devices: 6 })
}, 120_000)
afterAll(() => fixture.close())

const bulkName = randomUUID()
const brighten = ({ device }: PlayedDevice, dBrightness: number, headers: Record<string, string> = {}) =>
  fixture.ask('Device/ApplyDisplaySettings', {
    method: 'POST',
    body: { deviceId: device.id, displayNumber: 1, dBrightness },
    headers,
  })
const inBulk = (played: PlayedDevice) => brighten(played, 41, { [BULK_HEADER]: bulkName })
const log = async (body: object) => {
  const answer = await fixture.ask('Audit/GetAuditLogList', { method: 'POST', body })
  return answer.body as readonly AuditEntry[]
}
const folded = async () => (await log({ folds: true })).flatMap(({ fold }) => fold ?? [])[0]
const outcomeOf = async ({ device }: PlayedDevice) => {
  const [newest] = await log({ entityId: device.id })
  return [newest?.outcome, newest?.settingOutcome, newest?.details]
}

test('the figures of a bulk action are those that its summary has, and follow what the devices answer later', async () => {
  const [well, badly, silent, offline, overtaken, late] = fixture.devices as [
    ...[PlayedDevice, PlayedDevice, PlayedDevice],
    ...[PlayedDevice, PlayedDevice, PlayedDevice],
  ]
  for (const played of [well, badly, silent, late]) await fixture.connect(played)
  badly.answer = () => ({ ok: false, text: '', errors: ['Too bright.'] })
  for (const played of [silent, late]) played.answer = () => undefined
  await Promise.all(fixture.devices.map(inBulk))

  const atOnce = { entries: 6, things: 6, done: 1, refused: 1, unanswered: 2, queued: 2, replaced: 0 }
  expect(await folded()).toMatchObject(atOnce)
  expect(await outcomeOf(well)).toEqual(['done', 'applied', ''])
  expect(await outcomeOf(badly)).toEqual(['done', 'refused', 'The device refused it: Too bright.'])
  expect(await outcomeOf(silent)).toEqual(['done', 'unanswered', ''])
  expect(await outcomeOf(offline)).toEqual(['done', 'queued', ''])

  // The device refuses long after the call has answered that the settings are kept.
  await silent.reply(silent.commands[0]?.id ?? '', { ok: false, text: '', errors: ['Not any more.'] })
  await late.reply(late.commands[0]?.id ?? '', { ok: true, text: '', errors: [] })
  expect(await outcomeOf(silent)).toEqual(['done', 'refused', 'The device refused it: Not any more.'])
  await fixture.connect(offline)
  await brighten(overtaken, 42)
  const later = { ...atOnce, done: 3, refused: 2, unanswered: 0, queued: 0, replaced: 1 }
  expect(
    await eventually(
      async () => folded(),
      (fold) => fold?.done === 3,
    ),
  ).toMatchObject(later)
  expect((await log({ entityId: overtaken.device.id })).map(({ settingOutcome }) => settingOutcome)).toEqual([
    'queued',
    'replaced',
  ])
}, 180_000)

test('of two displays of one device, one of which refuses, the device counts once, as refused', async () => {
  const played = fixture.devices[0] as PlayedDevice
  await fixture.rows(
    `insert into device_component (device_id, component_model_id, category_id, number)
     values ($1, 11, 6, 1), ($1, 11, 6, 2)`,
    [played.device.id],
  )
  played.answer = ({ args }) => ({ ok: args.displayNumber === 1, text: '', errors: [] })
  const headers = { [BULK_HEADER]: randomUUID() }
  for (const displayNumber of [1, 2]) {
    const body = { deviceId: played.device.id, displayNumber, dBrightness: 43 }
    await fixture.ask('Device/ApplyDisplaySettings', { method: 'POST', body, headers })
  }
  expect(await folded()).toMatchObject({ entries: 2, things: 1, done: 0, refused: 1 })
})
