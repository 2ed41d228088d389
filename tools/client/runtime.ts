// This is the whole client at run time. It is published without its types, and so imports nothing.

export interface ClientOptions {
  /** The server's address, as in `https://wayside.example`. */
  readonly address: string
  readonly token: string
  /** The longest time for an answer; half a minute by default. */
  readonly timeoutMs?: number
}

export type CallWay = 'GET' | 'POST' | 'GET as POST'

interface Input {
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

const ANSWER_WITHIN_MS = 30_000

/** A refusal of the server, by its code; `unreachable` when it did not answer. */
export class WaysideError extends Error {
  override readonly name = 'WaysideError'
  readonly code: string
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, message: string, status: number, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function createCaller(ways: Readonly<Record<string, CallWay>>, options: ClientOptions) {
  const base = new URL(`${options.address.replace(/\/+$/, '')}/api/`)
  return {
    /** @returns the answer, as the server wrote it @throws WaysideError */
    async call(path: string, { query, body, signal }: Input = {}): Promise<unknown> {
      const way = ways[path]
      if (way === undefined) throw new TypeError(`There is no call ${path}.`)
      const isPost = way !== 'GET'
      const within = AbortSignal.timeout(options.timeoutMs ?? ANSWER_WITHIN_MS)
      const init = {
        method: isPost ? 'POST' : 'GET',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${options.token}`,
          ...(isPost && { 'content-type': 'application/json' }),
        },
        // A GET that changes something is sent as POST: addresses end up in logs, and proxies repeat GETs.
        ...(isPost && { body: JSON.stringify((way === 'POST' ? body : query) ?? {}) }),
        signal: signal ? AbortSignal.any([signal, within]) : within,
        redirect: 'error' as const,
      }
      const address = new URL(path, base)
      if (way !== 'GET as POST') address.search = queryText(query)
      const response = await fetch(address, init).catch((cause: unknown) => {
        if (signal?.aborted) throw cause
        throw new WaysideError('unreachable', `${base.origin} does not answer.`, 0)
      })
      const text = await response.text()
      if (!response.ok) throw refusal(response, text)
      return text === '' ? {} : JSON.parse(text)
    },
  }
}

function queryText(query: Input['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  ).toString()
}

function refusal({ status, headers }: Response, text: string): WaysideError {
  const after = Number(headers.get('retry-after') ?? Number.NaN)
  const said = readRefusal(text)
  const retryAfter = Number.isFinite(after) ? after : undefined
  return new WaysideError(
    said.code ?? 'unexpected',
    said.message ?? `The server answered ${status}.`,
    status,
    retryAfter,
  )
}

function readRefusal(text: string): { readonly code?: string; readonly message?: string } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
