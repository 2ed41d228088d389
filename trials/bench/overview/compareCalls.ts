import { deepStrictEqual } from 'node:assert/strict'
import type { Judge } from '../../frame/Run.ts'
import { openTable, quantile } from '../../frame/table.ts'
import { addressOf, fetched, QUESTIONS, type Request, sent } from './questions.ts'
import { medianAnd95, times } from './repeats.ts'

/** A server that has run for an hour has its hottest code compiled. */
const WARM_UPS = 60
const REPEATS = 60
const AIM_TOGETHER_MS = 15
const MUST_TOGETHER_MS = 60
/** Statements over a million rows take a second each. */
const SQL_REPEATS = 3
/** The page makes these calls beside its numbers. */
const BESIDE = ['Customer/GetCustomerList', 'App/GetConsoleSettings']

/** Measures every call of the Overview, alone and together as a browser makes them, against counting by hand. */
export async function compareCalls(judge: Judge, who: string, { db, httpUrl, token, customerId }: Request) {
  console.log(`\nFor ${who}`)
  const row = openTable(['median ms', 'p95 ms', 'by hand ms'])
  const any = () => sent(addressOf(httpUrl, 'App/GetConsoleSettings', {}), token)
  await times(WARM_UPS, any)
  row('(what any call costs)', medianAnd95(await times(REPEATS, any)))
  const works = QUESTIONS.map(
    ({ path, query }) =>
      (coding?: string) =>
        sent(addressOf(httpUrl, path, query), token, coding),
  )
  for (const [index, question] of QUESTIONS.entries()) {
    const ask = works[index] as () => Promise<Buffer>
    const answer = await fetched<never>(addressOf(httpUrl, question.path, question.query), token)
    const { rows } = await db.query(question.sql, [customerId])
    deepStrictEqual(question.ofAnswer(answer), question.ofRows(rows), `${question.name}: the numbers differ`)
    await times(WARM_UPS, ask)
    const measured = await times(REPEATS, ask)
    const byHand = await times(SQL_REPEATS, () => db.query(question.sql, [customerId]))
    row(question.name, [...medianAnd95(measured), quantile(byHand, 0.5)])
  }
  const others = BESIDE.map((path) => (coding?: string) => sent(addressOf(httpUrl, path, {}), token, coding))
  const everything = [...works, ...others]
  const asked = (coding?: string) => () => Promise.all(everything.map((work) => work(coding)))
  await times(WARM_UPS, asked())
  const together = await times(REPEATS, asked())
  const median = quantile(together, 0.5)
  const verdict = judge.verdict(`all calls for ${who}`, median <= MUST_TOGETHER_MS, median <= AIM_TOGETHER_MS)
  row('all calls at once', medianAnd95(together), `${verdict} (aim ${AIM_TOGETHER_MS}, must ${MUST_TOGETHER_MS} ms)`)
  row('the same without compression', medianAnd95(await times(REPEATS, asked('identity'))))
}
