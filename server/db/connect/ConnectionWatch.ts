import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { askOnce } from './askOnce.ts'
import { PATIENCE, type Patience } from './patience.ts'
import { WatchedClient } from './WatchedClient.ts'

/** An answer may still be on its way when its backend is found to have finished. */
const ON_ITS_WAY_MS = 300
/** Errors of this SQLSTATE class come from a database that shuts down or starts. */
const NOT_SERVING = /^57P/
/** Citus shows what waits for a worker as something that waits for its client. */
const MAY_WAIT_FOR_WORKER = `(state = 'active' and to_regclass('pg_catalog.pg_dist_partition') is not null)`

/**
 * Ends connections that wait for a database which does nothing for them: half-open ones, of which no socket gives
 * notice, and all connections to a database that is frozen. A statement that is merely slow keeps its time, because
 * another connection is asked whether its backend is at work (docs/decisions/0112).
 */
export class ConnectionWatch {
  readonly patience: Patience
  readonly url: string
  readonly #clients = new Set<WatchedClient>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false

  /** @param url the address that its connections were made with: another role may not see what their backends do */
  constructor(url: string, patience = PATIENCE) {
    this.url = url
    this.patience = patience
  }

  async connect(config: Omit<pg.ClientConfig, 'connectionString'>): Promise<WatchedClient> {
    const client = new WatchedClient({ ...config, connectionString: this.url })
    this.add(client)
    await client.connect()
    return client
  }

  add(client: WatchedClient): void {
    this.#clients.add(client)
    client.once('end', () => this.#forget(client))
    this.#timer ??= setInterval(() => this.#look(), this.patience.lookEveryMs).unref()
  }

  #forget(client: WatchedClient): void {
    this.#clients.delete(client)
    if (this.#clients.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const nowMs = performance.now()
    const { silentAfterMs } = this.patience
    for (const client of this.#clients) if (client.isOverdue(nowMs)) this.#giveUp([client])
    const silent = [...this.#clients].filter(
      (client) => client.silentMs(nowMs) > silentAfterMs && nowMs >= client.trustedUntilMs,
    )
    if (silent.length === 0 || this.#isAsking) return
    this.#isAsking = true
    void this.#judge(silent).finally(() => {
      this.#isAsking = false
    })
  }

  async #judge(silent: readonly WatchedClient[]): Promise<void> {
    const { silentAfterMs } = this.patience
    const heardBytes = silent.map((client) => client.heardBytes)
    const isAtWork = await this.#atWork(silent)
    await sleep(ON_ITS_WAY_MS, undefined, { ref: false })
    const nowMs = performance.now()
    const stillSilent = silent.filter(
      (client, index) => client.silentMs(nowMs) > silentAfterMs && client.heardBytes === heardBytes[index],
    )
    for (const client of stillSilent) client.trustedUntilMs = nowMs + silentAfterMs
    this.#giveUp(stillSilent.filter((client) => !isAtWork(client)))
  }

  /** Finds which backends work. One that waits for us to send or take something is not at work: it waits for us. */
  async #atWork(clients: readonly WatchedClient[]): Promise<(client: WatchedClient) => boolean> {
    try {
      const rows = await this.#ask<{ pid: number }>(
        `select pid from pg_stat_activity
         where pid = any($1::int[]) and state <> 'idle'
           and (wait_event_type is distinct from 'Client' or ${MAY_WAIT_FOR_WORKER})`,
        clients,
      )
      return ({ processID }) => rows.some(({ pid }) => pid === processID)
    } catch (error) {
      // The database answers but cannot say more, for example because no connection is free.
      const isServing = error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '')
      return () => isServing
    }
  }

  /**
   * Ends these connections and all that rest in a pool: those are most likely no better, and whoever got one would wait
   * as long again. The database may still take all of them for alive, so their backends are ended too, because they
   * would keep their locks and their places.
   */
  #giveUp(clients: readonly WatchedClient[]): void {
    if (clients.length === 0) return
    const all = [...new Set([...clients, ...[...this.#clients].filter(({ isResting }) => isResting)])]
    for (const client of all) client.giveUp()
    this.#ask(`select pg_terminate_backend(pid) from unnest($1::int[]) pid`, all).catch(() => undefined)
  }

  #ask<Row extends pg.QueryResultRow>(text: string, about: readonly WatchedClient[]): Promise<readonly Row[]> {
    const config = { connectionString: this.url, application_name: 'wayside watch' }
    return askOnce<Row>(config, this.patience.askedWithinMs, text, [about.map(({ processID }) => processID)])
  }
}
