import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { passTime } from '#testing/passTime.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { FairShare } from './fairShare.ts'
import { RateLimited } from './rateLimits.ts'

const asker = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
const moment = () => new Promise((resolve) => setImmediate(resolve))

test('in whatever order users come and leave, each has one place at once, all together as many as there are, and nobody is forgotten', async () => {
  const chance = seededRandom()
  const share = new FairShare(3)
  const running: string[] = []
  let served = 0
  const work = async (user: string) => {
    const end = await share.take(user, asker())
    running.push(user)
    expect(running.length).toBeLessThanOrEqual(3)
    expect(new Set(running).size).toBe(running.length)
    while (chance() < 0.7) await moment()
    running.splice(running.indexOf(user), 1)
    served++
    end()
  }
  const all: Promise<void>[] = []
  for (let n = 0; n < 200; n++) {
    all.push(work(`user ${Math.floor(chance() * 5)}`))
    if (chance() < 0.2) await moment()
  }
  await Promise.all(all)
  expect(served).toBe(200)
})

test('who asks for one thing waits for none of the many that another asked for before', async () => {
  const share = new FairShare(2)
  const order: string[] = []
  const work = async (user: string) => {
    const end = await share.take(user, asker())
    order.push(user)
    await moment()
    end()
  }
  const greedy = Array.from({ length: 30 }, () => work('greedy'))
  await Promise.all([work('modest'), moment()])
  expect(order.indexOf('modest')).toBeLessThanOrEqual(2)
  await Promise.all(greedy)
})

test('who asks for much and for long rests as long as a read took, and others do not wait for that', async () => {
  const share = new FairShare(1, 0)
  const end = await share.take('greedy', asker())
  let next = 0
  const waiting = [1, 2].map(() =>
    share.take('greedy', asker()).then((ended) => {
      next ||= performance.now()
      ended()
    }),
  )
  await passTime(60, 'a read that takes its time')
  end()
  const endedAt = performance.now()
  ;(await share.take('modest', asker()))()
  expect(next).toBe(0)
  await Promise.all(waiting)
  expect(next - endedAt).toBeGreaterThanOrEqual(55)
})

test('between the parts of a long answer others have their place', async () => {
  const share = new FairShare(1)
  async function* numbers() {
    for (let n = 0; n < 3; n++) yield n
  }
  const parts = share.parts('reader', numbers())
  expect(await parts.next()).toEqual({ value: 0, done: false })
  const end = await share.take('other', asker())
  let isThere = false
  const next = parts.next().finally(() => {
    isThere = true
  })
  await moment()
  expect(isThere).toBe(false)
  end()
  expect(await next).toEqual({ value: 1, done: false })
  expect(await Array.fromAsync(parts)).toEqual([2])
})

test('who hangs up while waiting takes no place, and a queue that is too long is closed', async () => {
  const share = new FairShare(1)
  const end = await share.take('one', asker())
  const gone = asker()
  const refused = share.take('two', gone)
  gone.emit('close')
  await expect(refused).rejects.toBeInstanceOf(RateLimited)
  const waiting = Array.from({ length: 100 }, () => share.take('two', asker()))
  await expect(share.take('two', asker())).rejects.toBeInstanceOf(RateLimited)
  end()
  for (const place of waiting) (await place)()
})

test('parts of which none was asked for are ended with those that would have taken places for them', async () => {
  const share = new FairShare()
  let isEnded = false
  async function* begun() {
    try {
      yield 1
      yield 2
    } finally {
      isEnded = true
    }
  }
  const inner = begun()
  await inner.next()
  await share.parts('somebody', inner).return()
  expect(isEnded).toBe(true)
})
