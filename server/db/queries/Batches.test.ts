import { expect, test } from 'vitest'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { Batches } from './Batches.ts'

const { owner } = await databaseTest('empty')

/** Divides 12 by each; the database refuses all of them when one is 0. */
function quotients() {
  const batches: number[][] = []
  const asked = new Batches<number, number>(4, async (divisors) => {
    batches.push([...divisors])
    const { rows } = await owner.query<{ quotient: number }>(
      'select 12 / divisor as quotient from unnest($1::int[]) with ordinality as a(divisor, at) order by at',
      [divisors],
    )
    return rows.map(({ quotient }) => quotient)
  })
  return { asked, batches }
}

test('what is asked at once goes in one batch, the rest in the next, and each has its own answer', async () => {
  const { asked, batches } = quotients()
  const first = Promise.all([1, 2, 3, 4, 6, 12].map((divisor) => asked.ask(divisor)))
  expect(await first).toEqual([12, 6, 4, 3, 2, 1])
  expect(await asked.ask(5)).toBe(2)
  expect(batches).toEqual([[1, 2, 3, 4], [6, 12], [5]])
})

test('what the database refuses for one is answered to the others of its batch', async () => {
  const { asked } = quotients()
  const answers = await Promise.allSettled([1, 0, 3, 4, 0].map((divisor) => asked.ask(divisor)))
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.code))).toEqual([
    ...[12, '22012', 4, 3, '22012'],
  ])
})

test('a database that is away fails a batch once, and the next one finds it again', async () => {
  let isAway = true
  let tries = 0
  const asked = new Batches<number, number>(4, async (items) => {
    tries++
    if (isAway) await owner.query(`do $$ begin raise exception 'away' using errcode = '57P03'; end $$`)
    return items
  })
  const failed = await Promise.allSettled([1, 2, 3].map((item) => asked.ask(item)))
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(tries).toBe(1)
  isAway = false
  expect(await asked.ask(7)).toBe(7)
})
