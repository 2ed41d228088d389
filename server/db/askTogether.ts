import pg from 'pg'
import { Exchange, knowsPlanOnce, PLAN_ONCE, type Request } from './Exchange.ts'
import type { PooledQuestion } from './prepared.ts'

/** Of one call there are five; more are of several calls, for which there are several processors. */
const MOST_TOGETHER = 6

const isPooled = (asked: unknown): asked is PooledQuestion =>
  typeof asked === 'object' && asked !== null && 'isPlannedOnce' in asked

/**
 * Has a pool send short questions that are asked in one moment together: a connection, a write and an awakened process
 * for each of them cost more than their answers. One that fails takes none of the others with it.
 */
export function askTogether(pool: pg.Pool): void {
  const { query } = pool
  let waiting: Request[] = []

  const sendWaiting = () => {
    const asked = waiting
    waiting = []
    for (let index = 0; index < asked.length; index += MOST_TOGETHER) {
      void send(pool, asked.slice(index, index + MOST_TOGETHER))
    }
  }

  const ask = (config: PooledQuestion) =>
    new Promise<pg.QueryResult>((answered, failed) => {
      const asked = { config, answered, failed }
      if (!config.goesTogether) return void send(pool, [asked])
      // After everything that this moment has begun has come to its own question.
      if (waiting.length === 0) process.nextTick(sendWaiting)
      waiting.push(asked)
    })

  pool.query = ((asked: unknown, ...more: unknown[]) =>
    isPooled(asked) ? ask(asked) : Reflect.apply(query, pool, [asked, ...more])) as typeof query
}

async function send(pool: pg.Pool, asked: readonly Request[]): Promise<void> {
  let unanswered = asked
  let fault: unknown
  try {
    const client = await pool.connect()
    try {
      if (!knowsPlanOnce(client)) await client.query(PLAN_ONCE)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const exchange = new Exchange(asked, (error) => (error ? reject(error) : resolve()), true)
      client.query(exchange)
      await promise.finally(() => {
        unanswered = exchange.unanswered
      })
    } catch (error) {
      fault = error
    }
    client.release(fault as Error | undefined)
  } catch (error) {
    fault = error
  }
  const [first, ...behind] = unanswered
  first?.failed(fault as Error)
  const isOfFirst = fault instanceof pg.DatabaseError
  for (const one of behind) {
    if (isOfFirst) void send(pool, [one])
    else one.failed(fault as Error)
  }
}
