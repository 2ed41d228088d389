import { CallError } from './callError.ts'

interface DatabaseFault {
  readonly code?: unknown
  readonly severity?: unknown
  readonly message?: unknown
}

/** These codes mean values that no schema caught and the database cannot hold. */
const DATA_ERRORS = ['22021', '22003', '22P02', '22008', '22009', '2201W', '2201X', '22P05', '22007']
const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '25006',
  '58030',
  '57014',
  '40001',
  '40P01',
]
/** Class 08 is a lost connection, 53 a database that is out of resources. */
const UNREACHABLE_CLASS = /^(08|53)/
const UNREACHABLE_MESSAGE =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered|pool after calling end/
/** What Citus says when a machine that holds tables for it does not answer, or ends within a transaction. */
const WORKER_AWAY_MESSAGE = /^(connection to the remote node .* failed|failure on connection marked as essential)/
const RETRY_AFTER_SECONDS = 2

/** Decides what an operator is answered for anything that was thrown. */
export function refusalOf(error: unknown): CallError {
  if (error instanceof CallError) return error
  const { code, message } = (error ?? {}) as DatabaseFault
  const text = typeof code === 'string' ? code : ''
  if (text === 'OUTCOME_UNKNOWN') return new CallError('outcome_unknown')
  if (DATA_ERRORS.includes(text)) return new CallError('invalid_request')
  const isWorkerAway = error instanceof Error && WORKER_AWAY_MESSAGE.test(error.message)
  const isUnreachable =
    isWorkerAway ||
    UNREACHABLE.includes(text) ||
    UNREACHABLE_CLASS.test(text) ||
    UNREACHABLE_MESSAGE.test(typeof message === 'string' ? message : '')
  if (isUnreachable)
    return new CallError('not_ready', isWorkerAway ? WORKER_AWAY : undefined, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  return new CallError('internal_error')
}

const WORKER_AWAY =
  'A machine that keeps these readings does not answer. Everything else goes on; please try again later.'

/** Reduces a fault to what a log may hold. The log itself leaves out what the database quotes of an error (log.ts). */
export function loggable(error: unknown): object {
  return error instanceof Error ? error : { thrown: typeof error }
}
