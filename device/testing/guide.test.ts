import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deviceConfiguration } from '#contract/http/devices/devices.ts'
import { deviceMessage, reportPayload } from '#contract/mqtt/report.ts'
import { readInboundTopic } from '#contract/mqtt/topics.ts'
import { EVENT_TYPES, eventTypeById } from '#domain/catalogue/eventTypes.ts'

const guide = readFileSync(new URL('../../docs/guide/connect/connect-a-device.md', import.meta.url), 'utf8')
const examples = [...guide.matchAll(/-t v1\/devices\/\$GUID\/(\S+) \\\n {2}-m "(.*)"/g)].map(
  ([, topic = '', shell = '']) => ({
    topic,
    payload: JSON.parse(shell.replaceAll('\\"', '"').replace(/\$\(date[^)]*\)/g, '2026-11-20T10:00:00.000Z')),
  }),
)

test('every example of the guide is a message that the server understands, with names of the catalogue', () => {
  expect(examples).toHaveLength(4)
  for (const { topic, payload } of examples) {
    const inbound = readInboundTopic(topic)
    expect(inbound.kind).not.toBe('unknown')
    if (inbound.kind !== 'events') {
      expect(deviceMessage.safeParse(payload).success).toBe(true)
      continue
    }
    const parsed = reportPayload.parse(payload)
    const names = eventTypeById(inbound.eventTypeId)?.fields.map(({ name }) => name) ?? []
    for (const { values } of [parsed].flat()) {
      expect(Object.keys(values).filter((name) => !names.includes(name))).toEqual([])
    }
  }
})

test('the guide shows the configuration file as it is, and every type of report', () => {
  const json = /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  expect(deviceConfiguration.safeParse(JSON.parse(json)).success).toBe(true)
  expect(EVENT_TYPES.filter(({ topic }) => !guide.includes(`\`${topic}\``))).toEqual([])
})
