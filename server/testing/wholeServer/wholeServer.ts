import { type Logger, pino } from 'pino'
import { type RunningServer, startServer } from '#server/app/server.ts'
import type { Patience } from '#server/db/connect/patience.ts'
import { type Config, readConfig } from '#server/settings/config.ts'
import type { Request } from '../callers.ts'
import { KEPT_DAYS } from '../database/keptDays.ts'

interface WholeServerOptions {
  readonly mqttPort?: number
  readonly config?: Partial<Config>
  readonly log?: Logger
  /** When this exceeds the database's days, the first round of its leader makes the tables. */
  readonly retentionDays?: number
  readonly patience?: Patience
}

/** Starts the whole server without a console, on free ports. */
export function startWholeServer(
  databaseUrls: { readonly ownerUrl: string; readonly applicationUrl: string },
  { mqttPort = 0, config = {}, log, retentionDays = KEPT_DAYS, patience }: WholeServerOptions = {},
): Promise<RunningServer> {
  return startServer({
    config: { ...readConfig({}), secretsKey: 'a1'.repeat(32), httpPort: 0, mqttPort, ...config },
    databaseUrls,
    consoleFolder: '/nowhere',
    log: log ?? pino({ level: 'silent' }),
    missing: async () => undefined,
    internalUsers: [],
    retentionDays,
    ...(patience && { patience }),
  })
}

interface Answered {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** Makes one request to a call of a whole server, as a program would. */
export async function askServer(
  httpUrl: string,
  path: string,
  { token, method = 'GET', query, body, headers }: Request,
): Promise<Answered> {
  const texts = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await fetch(`${httpUrl}/api/${path}?${new URLSearchParams(texts)}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
