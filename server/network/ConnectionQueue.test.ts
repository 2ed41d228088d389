import { expect, test } from 'vitest'
import { seededRandom } from '#testing/seededRandom.ts'
import { ConnectionQueue, type Entering } from './ConnectionQueue.ts'

/** A connection that waits; `begun` records in which order they are admitted. */
class Comer implements Entering {
  readonly hasConnect = true
  isClosed = false
  readonly address: string
  readonly number: number
  readonly #begun: Comer[]

  constructor(begun: Comer[], number: number, address = '192.0.2.1') {
    this.address = address
    this.number = number
    this.#begun = begun
  }

  begin(): void {
    this.#begun.push(this)
  }

  close(): void {
    this.isClosed = true
  }
}

test('of many at once two hundred are let in at a time, each in turn, and nobody who has gone', () => {
  const chance = seededRandom()
  const queue = new ConnectionQueue()
  const begun: Comer[] = []
  const comers = Array.from({ length: 3000 }, (_, number) => new Comer(begun, number))
  let left = 0
  const gone = new Set<Comer>()
  for (const comer of comers) {
    queue.enter(comer)
    if (chance() < 0.1 && !begun.includes(comer)) {
      queue.leave(comer)
      gone.add(comer)
    }
    expect(begun.length - left).toBeLessThanOrEqual(200)
    if (chance() < 0.3) queue.leave(begun[left++] as Comer)
  }
  expect(begun.length - left).toBe(200)
  while (left < begun.length) queue.leave(begun[left++] as Comer)
  expect(begun).toEqual(comers.filter((comer) => !gone.has(comer)))
})

const enterMany = (queue: ConnectionQueue, begun: Comer[], count: number, address: string) => {
  const comers = Array.from({ length: count }, (_, number) => new Comer(begun, number, address))
  for (const comer of comers) queue.enter(comer)
  return comers
}

test('whoever comes from another address gets the next place but one, whatever waits', () => {
  const queue = new ConnectionQueue()
  const begun: Comer[] = []
  const flood = enterMany(queue, begun, 5000, '198.51.100.1')
  const [one] = enterMany(queue, begun, 1, '192.0.2.1')
  const [other] = enterMany(queue, begun, 1, '2001:db8::1')
  for (const comer of flood.slice(0, 3)) queue.leave(comer)
  expect(begun.slice(200)).toEqual([flood[200], one, other])
})

test('known addresses come first, and of four places one is left to strangers', () => {
  const queue = new ConnectionQueue((limitKey) => limitKey.startsWith('known'))
  const begun: Comer[] = []
  const flood = enterMany(queue, begun, 200, 'stranger 0')
  for (let n = 1; n <= 300; n++) enterMany(queue, begun, 1, `stranger ${n}`)
  for (let n = 1; n <= 300; n++) enterMany(queue, begun, 1, `known ${n}`)
  for (const comer of flood.slice(0, 100)) queue.leave(comer)
  const isKnown = ({ address }: Comer) => address.startsWith('known')
  expect(begun.slice(200).filter(isKnown)).toHaveLength(75)
})
