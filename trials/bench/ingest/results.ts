import type { Judge } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import type { LoadAnswer } from './loadGenerator.ts'

export interface RunResult {
  readonly reportsPerSecond: number
  readonly valuesPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly bytesPerValue: number
  readonly walBytesPerValue: number
}

export interface Results {
  readonly productFull: RunResult
  readonly ceilingFull: RunResult
  readonly productHalf: LoadAnswer
  readonly ceilingHalf: LoadAnswer
  readonly bytesPerConnection: number
  readonly counters: { readonly batchesStored: number; readonly reportsStored: number }
}

const MUST_RATIO = 0.25
const AIM_RATIO = 0.5
const MUST_BYTES = 15
const AIM_BYTES = 10
const AIM_HALF_LOAD_RATIO = 3

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

export function printResults(judge: Judge, results: Results): void {
  const { productFull, ceilingFull, productHalf, ceilingHalf } = results
  const row = openTable(['product', 'ceiling'])
  row('reports/s', [whole(productFull.reportsPerSecond), whole(ceilingFull.reportsPerSecond)])
  row('values/s stored', [whole(productFull.valuesPerSecond), whole(ceilingFull.valuesPerSecond)])
  row('PUBACK p50 ms', [productFull.p50Ms, ceilingFull.p50Ms])
  row('PUBACK p99 ms', [productFull.p99Ms, ceilingFull.p99Ms])
  row('half load: reports/s', [halfRate(productHalf), halfRate(ceilingHalf)])
  row('half load: PUBACK p50 ms', [productHalf.p50Ms, ceilingHalf.p50Ms])
  row('half load: PUBACK p99 ms', [productHalf.p99Ms, ceilingHalf.p99Ms])
  row('bytes/value with indexes', [productFull.bytesPerValue, ceilingFull.bytesPerValue])
  row('WAL bytes/value', [productFull.walBytesPerValue, ceilingFull.walBytesPerValue])
  row('KB/connection', [results.bytesPerConnection / 1024])
  row('reports/batch', [results.counters.reportsStored / results.counters.batchesStored])

  const judged = openTable(['product', 'must', 'aim'])
  const ratio = productFull.reportsPerSecond / ceilingFull.reportsPerSecond
  const verdict = judge.verdict('the ratio to the ceiling', ratio >= MUST_RATIO, ratio >= AIM_RATIO)
  judged('of the ceiling', [ratio.toFixed(2), `${MUST_RATIO}`, `${AIM_RATIO}`], verdict)
  const bytes = productFull.bytesPerValue
  const ofBytes = judge.verdict('the size of a value', bytes <= MUST_BYTES, bytes <= AIM_BYTES)
  judged('bytes a value', [bytes, MUST_BYTES, AIM_BYTES], ofBytes)
  const halfRatio = productHalf.p99Ms / ceilingHalf.p99Ms
  const ofHalf = judge.verdict('the wait at half load', true, halfRatio <= AIM_HALF_LOAD_RATIO)
  judged('p99 at half load, × ceiling', [halfRatio, '-', AIM_HALF_LOAD_RATIO], ofHalf)
}

const halfRate = ({ acknowledged, seconds }: LoadAnswer) => whole(acknowledged / seconds)
