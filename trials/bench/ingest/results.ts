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
const fine = (value: number) => value.toFixed(1)

export function printResults(results: Results): void {
  const { productFull, ceilingFull, productHalf, ceilingHalf } = results
  const rows: [string, string, string][] = [
    ['', 'product', 'ceiling'],
    ['reports/s', whole(productFull.reportsPerSecond), whole(ceilingFull.reportsPerSecond)],
    ['values/s stored', whole(productFull.valuesPerSecond), whole(ceilingFull.valuesPerSecond)],
    ['PUBACK p50 ms', fine(productFull.p50Ms), fine(ceilingFull.p50Ms)],
    ['PUBACK p99 ms', fine(productFull.p99Ms), fine(ceilingFull.p99Ms)],
    ['half load: reports/s', halfRate(productHalf), halfRate(ceilingHalf)],
    ['half load: PUBACK p50 ms', fine(productHalf.p50Ms), fine(ceilingHalf.p50Ms)],
    ['half load: PUBACK p99 ms', fine(productHalf.p99Ms), fine(ceilingHalf.p99Ms)],
    ['bytes/value with indexes', fine(productFull.bytesPerValue), fine(ceilingFull.bytesPerValue)],
    ['WAL bytes/value', fine(productFull.walBytesPerValue), fine(ceilingFull.walBytesPerValue)],
    ['KB/connection', fine(results.bytesPerConnection / 1024), ''],
    ['reports/batch', fine(results.counters.reportsStored / results.counters.batchesStored), ''],
  ]
  for (const [name, product, ceiling] of rows) {
    console.log(`${name.padEnd(28)}${product.padStart(12)}${ceiling.padStart(12)}`)
  }
  const ratio = productFull.reportsPerSecond / ceilingFull.reportsPerSecond
  const halfRatio = productHalf.p99Ms / ceilingHalf.p99Ms
  console.log()
  verdict('of the ceiling', ratio.toFixed(2), ratio >= MUST_RATIO, ratio >= AIM_RATIO, `${MUST_RATIO} / ${AIM_RATIO}`)
  const bytes = productFull.bytesPerValue
  verdict('bytes a value', fine(bytes), bytes <= MUST_BYTES, bytes <= AIM_BYTES, `${MUST_BYTES} / ${AIM_BYTES}`)
  verdict(
    'p99 at half load, × ceiling',
    fine(halfRatio),
    true,
    halfRatio <= AIM_HALF_LOAD_RATIO,
    `- / ${AIM_HALF_LOAD_RATIO}`,
  )
}

const halfRate = ({ acknowledged, seconds }: LoadAnswer) => whole(acknowledged / seconds)

function verdict(name: string, value: string, isMust: boolean, isAim: boolean, limits: string) {
  const words = isAim ? 'aim reached' : isMust ? 'must reached' : 'MISSED'
  console.log(`${name.padEnd(28)}${value.padStart(12)}   ${words} (must / aim: ${limits})`)
  if (!isMust) process.exitCode = 1
}
