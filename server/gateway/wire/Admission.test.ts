import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dice } from '#server/testing/dice.ts'
import { type GatewayFixture, gatewayFixture } from '#server/testing/gatewayFixture.ts'
import { Admission, type Entering } from './Admission.ts'

let fixture: GatewayFixture
beforeAll(async () => {
  fixture = await gatewayFixture()
})
afterAll(() => fixture.close())

/** Somebody who comes; `log` says in which order they are let in. */
class Comer implements Entering {
  readonly hasConnect = true
  isClosed = false
  readonly number: number
  readonly #log: number[]

  constructor(number: number, log: number[]) {
    this.number = number
    this.#log = log
  }

  begin(): void {
    this.#log.push(this.number)
  }

  close(): void {
    this.isClosed = true
  }
}

test('of many at once two hundred are let in at a time, each in turn, and nobody who has gone', () => {
  const chance = dice()
  const admission = new Admission()
  const begun: number[] = []
  const comers = Array.from({ length: 3000 }, (_, number) => new Comer(number, begun))
  let left = 0
  const inside = () => begun.length - left
  const gone = new Set<number>()
  for (const comer of comers) {
    admission.enter(comer)
    if (chance() < 0.1 && !begun.includes(comer.number)) {
      comer.close()
      admission.leave(comer)
      gone.add(comer.number)
    }
    expect(inside()).toBeLessThanOrEqual(200)
    if (chance() < 0.3) admission.leave(comers[begun[left++] as number] as Comer)
  }
  expect(inside()).toBe(200)
  while (left < begun.length) admission.leave(comers[begun[left++] as number] as Comer)
  expect(begun).toEqual(comers.map(({ number }) => number).filter((number) => !gone.has(number)))
})

test('connections that say nothing keep no device waiting', async () => {
  const silent: Socket[] = []
  for (let n = 0; n < 250; n++) silent.push(connect({ port: fixture.gateway.port, host: '127.0.0.1' }))
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  const client = await fixture.connect(fixture.device)
  expect(client.connected).toBe(true)
  expect(silent.filter(({ closed }) => closed)).toEqual([])
  for (const socket of silent) socket.destroy()
})
