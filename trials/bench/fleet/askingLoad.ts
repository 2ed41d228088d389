import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerMessages } from '../../frame/answerMessages.ts'
import { quantile } from '../../frame/table.ts'

/** Another process makes calls: many at once all the time, or one after the other. */

export interface AskingDeps {
  readonly token: string
  readonly urls: readonly string[]
}

export type AskingQuestion =
  /** It goes on until it is told to end. */
  | { readonly begin: AskingDeps & { readonly loops: number } }
  | { readonly end: 'all' }
  /** It makes one call after the other, with a short rest in between. */
  | { readonly measure: AskingDeps & { readonly seconds: number } }

export interface HeavyTally {
  readonly answered: number
  readonly refused: number
  readonly megabytes: number
}

export interface LightTally {
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const REST_MS = 5
const agent = new Agent({ keepAlive: true })
let isOver = false
let loops: Promise<unknown> = Promise.resolve()
let tally = { answered: 0, refused: 0, bytes: 0 }

/** @returns the status; the answer is counted and thrown away */
function fetched(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, zstd' }
    get(url, { headers, agent }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        tally.bytes += chunk.byteLength
        if (isOver) answer.destroy()
      })
      answer.once('error', () => resolve(0))
      answer.once('close', () => resolve(answer.statusCode ?? 0))
    }).once('error', reject)
  })
}

async function loop({ token, urls }: AskingDeps, index: number): Promise<void> {
  for (let turn = index; !isOver; turn++) {
    const status = await fetched(urls[turn % urls.length] ?? '', token)
    if (status === 200) tally.answered++
    else tally.refused++
  }
}

async function measure({ token, urls, seconds }: AskingDeps & { readonly seconds: number }): Promise<LightTally> {
  const took: number[] = []
  const until = performance.now() + seconds * 1000
  for (let turn = 0; performance.now() < until; turn++) {
    const beganAt = performance.now()
    const status = await fetched(urls[turn % urls.length] ?? '', token)
    if (status !== 200) throw new Error(`${urls[turn % urls.length]} was answered with ${status}.`)
    took.push(performance.now() - beganAt)
    await sleep(REST_MS)
  }
  return { calls: took.length, p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) }
}

answerMessages<AskingQuestion>(
  async (question) => {
    if ('measure' in question) return measure(question.measure)
    if ('begin' in question) {
      isOver = false
      tally = { answered: 0, refused: 0, bytes: 0 }
      loops = Promise.all(Array.from({ length: question.begin.loops }, (_, index) => loop(question.begin, index)))
      return {}
    }
    isOver = true
    await loops
    const { answered, refused, bytes } = tally
    return { answered, refused, megabytes: Math.round(bytes / 1e6) } satisfies HeavyTally
  },
  async () => undefined,
)
