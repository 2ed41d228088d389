import { expect, test } from 'vitest'
import { eventsTopic, readInboundTopic, topicRoot } from './topics.ts'

const guid = '0b5e9a52-3f3e-4a2e-9a51-000000000001' as never

test('the number of the first component is left out of its topic, and may be written', () => {
  expect(eventsTopic(guid, 'display')).toBe(`${topicRoot(guid)}events/display`)
  expect(eventsTopic(guid, 'display', 2)).toBe(`${topicRoot(guid)}events/display/2`)
  expect(readInboundTopic('events/display')).toEqual(readInboundTopic('events/display/1'))
})

test.each([
  'events/display/4',
  'events/display/0',
  'events/display/02',
  'events/ups/2',
  'events/toaster',
  'events',
  'events/display/2/x',
  'messages/x',
  'replies',
  'replies/../x',
  'replies/a/b',
  'settings',
  '',
])('nobody reads %j', (belowRoot) => {
  expect(readInboundTopic(belowRoot)).toEqual({ kind: 'unknown' })
})

test('replies carry the id of their command', () => {
  expect(readInboundTopic('replies/7f-1')).toEqual({ kind: 'reply', commandId: '7f-1' })
})
