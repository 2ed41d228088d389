import pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import { logPositionOf } from './logPosition.ts'

/** Rows of one result, as texts by the names of their columns. */
export type Rows = readonly Readonly<Record<string, string | undefined>>[]

export interface Wire {
  readonly stream: { pause(): void; resume(): void; destroy(error?: Error): void }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

interface CopyTaker {
  /** Slower than the database: nothing is read from it until the promise is fulfilled. */
  take(bytes: Buffer): Promise<void> | undefined
  /** The database sends bytes from now on, and takes some. */
  onBegin?(wire: Wire): void
}

/** One command of the replication protocol as `pg` runs its queries: results, and between them bytes. */
class Command {
  readonly results: Rows[] = []
  readonly #text: string
  readonly #taker: CopyTaker | undefined
  readonly #done: (error: Error | undefined) => void
  #columns: string[] = []
  #rows: Record<string, string | undefined>[] = []
  #wire: Wire | undefined
  #error: Error | undefined
  #taking = 0

  constructor(text: string, taker: CopyTaker | undefined, done: (error: Error | undefined) => void) {
    this.#text = text
    this.#taker = taker
    this.#done = done
  }

  submit(wire: Wire): void {
    this.#wire = wire
    wire.query(this.#text)
    this.#taker?.onBegin?.(wire)
  }

  handleRowDescription({ fields }: { fields: readonly { name: string }[] }): void {
    this.#columns = fields.map(({ name }) => name)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#rows.push(Object.fromEntries(this.#columns.map((name, index) => [name, fields[index] ?? undefined])))
  }

  handleCommandComplete(): void {
    this.results.push(this.#rows)
    this.#rows = []
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(): void {}

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The parser reads what comes next into the same memory.
    const taken = this.#taker?.take(Buffer.from(chunk))
    if (!taken) return
    this.#taking += 1
    this.#wire?.stream.pause()
    taken.then(
      () => this.#taken(),
      (error: Error) => {
        this.#error ??= error
        this.#wire?.stream.destroy()
      },
    )
  }

  #taken(): void {
    this.#taking -= 1
    if (this.#taking === 0) this.#wire?.stream.resume()
  }

  handleReadyForQuery(): void {
    // Results within one command are ended by their rows alone.
    if (this.#rows.length > 0) this.results.push(this.#rows)
    this.#done(this.#error)
  }

  handleError(error: Error): void {
    this.#done(this.#error ?? error)
  }
}

export interface SystemIdentity {
  /** Of the cluster, from the day it was made. */
  readonly systemId: string
  readonly timeline: number
  readonly position: bigint
}

/** Longer than any question takes; without an end, whoever waits for a connection that was cut off waits for ever. */
const ANSWERS_WITHIN_MS = 30 * SECOND_MS

/** A connection by which PostgreSQL hands out its files and its log. Needs a role with REPLICATION, or a superuser. */
export class Replication {
  readonly #client: pg.Client
  readonly #answersWithinMs: number
  #isOver = false

  private constructor(client: pg.Client, answersWithinMs: number) {
    this.#client = client
    this.#answersWithinMs = answersWithinMs
    client.on('error', () => {
      this.#isOver = true
    })
  }

  static async open(url: string, answersWithinMs = ANSWERS_WITHIN_MS): Promise<Replication> {
    // One that names its database is let in by the same lines of pg_hba.conf as every other, and can be asked by SQL too.
    const config = {
      connectionString: url,
      application_name: 'wayside backup',
      replication: 'database',
      keepAlive: true,
      connectionTimeoutMillis: answersWithinMs,
    }
    const client = new pg.Client(config as pg.ClientConfig)
    const replication = new Replication(client, answersWithinMs)
    await client.connect()
    return replication
  }

  /** @throws when a question is not answered in time; what hands out files or the log takes as long as it takes */
  async ask(text: string, taker?: CopyTaker): Promise<readonly Rows[]> {
    if (this.#isOver) throw new Error('The connection for backups is over.')
    const { promise, resolve, reject } = Promise.withResolvers<readonly Rows[]>()
    const command = new Command(text, taker, (error) => (error ? reject(error) : resolve(command.results)))
    this.#client.query(command as never)
    if (taker) return promise
    const timer = setTimeout(() => {
      reject(new Error(`The database has not answered for ${this.#answersWithinMs / SECOND_MS} s.`))
      this.destroy()
    }, this.#answersWithinMs)
    return promise.finally(() => clearTimeout(timer))
  }

  async identify(): Promise<SystemIdentity> {
    const [rows] = await this.ask('IDENTIFY_SYSTEM')
    const [row] = rows ?? []
    return {
      systemId: row?.['systemid'] ?? '',
      timeline: Number(row?.['timeline']),
      position: logPositionOf(row?.['xlogpos'] ?? '0/0'),
    }
  }

  /** Ends it at once, whatever is under way. */
  destroy(): void {
    this.#isOver = true
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }

  async end(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }
}
