import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { type TelemetryFixture, telemetryFixture } from '#server/testing/devices/telemetryFixture.ts'
import { exportMessages, type MessageKey, readMessages } from './messages.ts'

let fixture: TelemetryFixture
beforeAll(async () => {
  fixture = await telemetryFixture()
})
afterAll(() => fixture.close())

const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS

function storeMessages(deviceId: DeviceId, messages: readonly { atMs: number; msg: string }[]): Promise<void> {
  return new Promise((resolve) =>
    fixture.writePath().submit({
      deviceId,
      reports: [],
      messages: messages.map((message) => ({ ...message, deviceId, receivedAtMs: Date.now() })),
      rejections: [],
      bytes: 100,
      packetToken: 1,
      arrivedAtMs: performance.now(),
      receipt: { stored: () => resolve() },
    }),
  )
}

const period = { from: new Date(midnight - DAY_MS), to: new Date(midnight + DAY_MS) }

test('pages of any size tell every message once, newest first, also those of one instant', async () => {
  const deviceId = fixture.newDevice()
  const messages = Array.from({ length: 700 }, (_, index) => ({
    atMs: midnight + Math.floor(index / 3) * 60_000 - 3_600_000,
    msg: `message ${index}`,
  }))
  await storeMessages(deviceId, messages)
  for (const limit of [7, 100, 1000]) {
    const told: string[] = []
    const times: number[] = []
    let after: MessageKey | undefined
    do {
      const page = await readMessages(fixture.pool, { deviceId, ...period, after, limit })
      for (const { msg, at } of page) {
        told.push(msg)
        times.push(at.getTime())
      }
      after = page.length < limit ? undefined : page.at(-1)?.key
    } while (after)
    expect(times).toEqual(messages.map(({ atMs }) => atMs).sort((a, b) => b - a))
    expect(new Set(told)).toEqual(new Set(messages.map(({ msg }) => msg)))
    const exported: string[] = []
    for await (const { msg } of exportMessages(fixture.pool, { deviceId, ...period })) exported.push(msg)
    expect(exported).toEqual(told)
  }
})

test('a search finds what is contained whatever the case, and no character of it has a meaning of its own', async () => {
  const deviceId = fixture.newDevice()
  const texts = ['Fan 100% gone', 'fan 1000 gone', 'a_b', 'axb', 'C:\\temp', 'ŠKODA Čuvar', `x'; drop table device; --`]
  await storeMessages(
    deviceId,
    texts.map((msg, index) => ({ atMs: midnight + index, msg })),
  )
  const found = async (text: string) =>
    (await readMessages(fixture.pool, { deviceId, ...period, text, limit: 100 })).map(({ msg }) => msg).reverse()
  expect(await found('FAN')).toEqual([texts[0], texts[1]])
  expect(await found('100%')).toEqual([texts[0]])
  expect(await found('_')).toEqual([texts[2]])
  expect(await found('\\')).toEqual([texts[4]])
  expect(await found('škoda čUVAR')).toEqual([texts[5]])
  expect(await found(`'; DROP`)).toEqual([texts[6]])
  expect(await found('')).toEqual(texts)
})
