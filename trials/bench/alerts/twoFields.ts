import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openTable, quantile } from '../../frame/table.ts'
import type { LoadAnswer } from '../ingest/loadGenerator.ts'

/** The product has read a change by then. */
const SETTLES_MS = 3_000
/** The product knows all devices and their states again by then, and the compilers know which code is hot. */
const WARM_UP_SECONDS = 10
const MEASURED_SECONDS = 8
/** A second field may make an acknowledgement this many times as slow. */
const MOST_OF_ONE_FIELD = 1.2

export interface LoadConditions {
  readonly firstFieldId: number
  readonly fields: number
  /** Conditions of the load compare with at least this value. */
  readonly ofLoad: number
}

/** Adds a second field that is reported beside the first one, and met. The other conditions use one field. */
export async function lookAtTwoFields(
  owner: pg.Pool,
  { firstFieldId, fields, ofLoad }: LoadConditions,
  pairs: number,
): Promise<void> {
  await owner.query(
    `with numbered as (select id, row_number() over (order by id) <= $4 as is_pair
       from alert_condition where value_dec >= $3 and kind in ('level', 'pair'))
     update alert_condition set kind = case when is_pair then 'pair' else 'level' end,
       joined_by = case when is_pair then 'and' end, second_operator_code = case when is_pair then 'GT' end,
       second_value_dec = case when is_pair then -1000 end,
       second_field_id = case when is_pair then $1::int + (field_id - $1::int + 1) % $2::int end
     from numbered where numbered.id = alert_condition.id and (kind = 'pair') <> is_pair`,
    [firstFieldId, fields, ofLoad, pairs],
  )
}

interface Compared {
  readonly owner: pg.Pool
  readonly conditions: LoadConditions
  readonly rules: number
  readonly rounds: number
  readonly send: (seconds: number) => Promise<LoadAnswer>
}

/** Compares acknowledgements when all conditions use one field and when all use two, by turns. */
export async function compareFields({ owner, conditions, rules, rounds, send }: Compared): Promise<void> {
  if (rounds === 0) return
  console.log(`\n${rules} conditions of one field, and the same of two, ${rounds} rounds by turns`)
  const row = openTable(['p50 ms', 'p99 ms', 'reports/s'], 24)
  const waits: { one: LoadAnswer[]; two: LoadAnswer[] } = { one: [], two: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [side, pairs] of [
      ['one', 0],
      ['two', rules],
    ] as const) {
      await lookAtTwoFields(owner, conditions, pairs)
      await sleep(SETTLES_MS)
      await send(WARM_UP_SECONDS)
      const answer = await send(MEASURED_SECONDS)
      waits[side].push(answer)
      row(`PUBACK, fields: ${side}`, [answer.p50Ms, answer.p99Ms, Math.round(answer.reportsPerSecond).toString()])
    }
  }
  const ratios = waits.two.map(({ p99Ms }, round) => p99Ms / (waits.one[round]?.p99Ms ?? Number.NaN))
  const ratio = quantile(ratios, 0.5)
  const isWithin = ratio <= MOST_OF_ONE_FIELD
  row('two : one, p99', ['', ratio.toFixed(2), ''], isWithin ? 'must reached' : `must ${MOST_OF_ONE_FIELD} MISSED`)
}
