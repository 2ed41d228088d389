import type { Judge } from '../../frame/Run.ts'
import { openTable } from '../../frame/table.ts'
import type { Worker } from '../../frame/Worker.ts'
import { addressOf } from './questions.ts'

const REPEATS = 3
const MB = 1024 * 1024
const ORDERS: readonly Readonly<Record<string, string>>[] = [
  { sort: 'name' },
  { sort: 'address' },
  { sort: 'alerts', descending: 'true' },
]
/** The server may use this much more memory while it exports the whole fleet. */
const AIM_MORE_MB = 50
const MUST_MORE_MB = 100

interface FileDeps {
  readonly worker: Worker
  readonly httpUrl: string
  readonly token: string
}

/** Measures a file of the whole fleet, sorted and as a browser takes it: how long, and the memory of the server. */
export async function measureFile(judge: Judge, { worker, httpUrl, token }: FileDeps) {
  console.log('\nA file of all devices')
  const row = openTable(['s', 'MB sent', 'server at rest MB', 'more at most MB'], 44)
  for (const query of ORDERS) {
    const address = addressOf(httpUrl, 'Device/GetDeviceListFull', query)
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const { bytes: atRest } = await worker.ask<{ bytes: number }>({ tell: 'memory' })
      const beganAt = performance.now()
      const sentBytes = await read(address, token)
      const seconds = (performance.now() - beganAt) / 1000
      const moreMb = ((await worker.ask<{ bytes: number }>({ tell: 'peak' })).bytes - atRest) / MB
      const verdict = judge.verdict('the memory of a file', moreMb <= MUST_MORE_MB, moreMb <= AIM_MORE_MB)
      const name = `sorted by ${query.sort}`
      row(
        name,
        [seconds.toFixed(1), sentBytes / MB, atRest / MB, moreMb],
        `${verdict} (aim ${AIM_MORE_MB}, must ${MUST_MORE_MB} MB)`,
      )
    }
  }
}

async function read(address: string, token: string): Promise<number> {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok || !answer.body) throw new Error(`${address} answered ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.byteLength
  return bytes
}
