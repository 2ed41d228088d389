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
  /** When it returns a promise, nothing more is read from the database until that resolves. */
  take(bytes: Buffer): Promise<void> | undefined
  /** The database sends bytes from now on, and accepts some. */
  onBegin?(wire: Wire): void
}

/** Runs one command of the replication protocol as a query of `pg`: results, and bytes between them. */
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
    // The parser reads what comes next into the same memory, so the chunk is copied.
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
    // Only their rows end the results within one command.
    if (this.#rows.length > 0) this.results.push(this.#rows)
    this.#done(this.#error)
  }

  handleError(error: Error): void {
    this.#done(this.#error ?? error)
  }
}

export interface SystemIdentity {
  /** Identifies the cluster from the day it was made. */
  readonly systemId: string
  readonly timeline: number
  readonly position: bigint
}

/** No question takes longer; without a limit, a caller would wait for ever on a connection that was cut off. */
const ANSWERS_WITHIN_MS = 30 * SECOND_MS

/** PostgreSQL sends its files and its log over it. It needs a role with REPLICATION, or a superuser. */
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
    // A connection that names its database is admitted by the usual lines of pg_hba.conf, and takes SQL too.
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

  /** @throws when a question is not answered in time; a command that sends files or the log may take any time */
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

  /** Ends the connection at once, whatever is under way. */
  destroy(): void {
    this.#isOver = true
    const { connection } = this.#client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }

  async end(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }
}
