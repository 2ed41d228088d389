import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventReader } from './serverSentEvents.ts'

const STREAM =
  'event: ready\ndata: {}\n\n: a comment\n\nevent: device\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: plain\n\n'
const EVENTS = [
  { name: 'ready', data: '{}' },
  { name: 'device', data: '{"a":\n1}' },
  { name: 'message', data: 'plain' },
]

test('events are the same however the network cuts the stream', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const borders = [0, ...cuts.sort((a, b) => a - b), STREAM.length]
      const read = eventReader()
      const events = borders.slice(1).flatMap((end, index) => read(STREAM.slice(borders[index], end)))
      expect(events).toEqual(EVENTS)
    }),
  )
})

test('an event that is not complete yet is kept back', () => {
  const read = eventReader()
  expect(read('event: state\ndata: {}\n')).toEqual([])
  expect(read('\n')).toEqual([{ name: 'state', data: '{}' }])
})
