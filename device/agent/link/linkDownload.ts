import { closeSync, fsyncSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'

/** A connection that brings no byte for this long is closed and opened again. */
const LONGEST_SILENCE_MS = 60_000
/** The server would take a longer silence for a device that got stuck. */
const LONGEST_WAIT_MS = 5 * 60_000

export interface Download {
  readonly url: string
  readonly guid: string
  readonly key: string
  /** The part that exists is not fetched again. */
  readonly file: string
  readonly totalBytes: number
  /** Called with the bytes that are on disk. */
  readonly onBytes: (receivedBytes: number) => void
  readonly signal: AbortSignal
}

/** The result of one attempt. The sentences of `refused` and `disk` are for operators, as part of `cut` is. */
export type DownloadEnd =
  | { readonly kind: 'whole' }
  /** Another attempt continues where this one ended. */
  | { readonly kind: 'cut'; readonly reason: string }
  /** The server asked for a pause. */
  | { readonly kind: 'busy'; readonly waitMs: number | undefined }
  | { readonly kind: 'refused' | 'disk'; readonly sentence: string }

export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Fetches what is missing of the file, with the credential of the device, and follows no redirect. Never throws. */
export async function download(options: Download): Promise<DownloadEnd> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), LONGEST_SILENCE_MS)
  try {
    return await fetchRest(options, AbortSignal.any([options.signal, silence.signal]), () => timer.refresh())
  } catch (error) {
    if (error instanceof DiskError) return { kind: 'disk', sentence: error.message }
    return { kind: 'cut', reason: silence.signal.aborted ? 'the server said nothing for a minute' : reasonOf(error) }
  } finally {
    clearTimeout(timer)
  }
}

async function fetchRest(options: Download, signal: AbortSignal, onAlive: () => void): Promise<DownloadEnd> {
  const { totalBytes, file } = options
  const presentBytes = sizeOf(file)
  if (presentBytes === totalBytes) return { kind: 'whole' }
  const fromBytes = presentBytes < totalBytes ? presentBytes : 0
  const response = await fetch(options.url, {
    redirect: 'manual',
    signal,
    headers: {
      authorization: `Basic ${Buffer.from(`${options.guid}:${options.key}`).toString('base64')}`,
      'accept-encoding': 'identity',
      ...(fromBytes > 0 ? { range: `bytes=${fromBytes}-` } : {}),
    },
  })
  const judged = judge(response, fromBytes, totalBytes)
  if ('end' in judged) {
    await response.body?.cancel()
    if (response.status === 416) onDisk(() => closeSync(openSync(file, 'w', 0o600)))
    return judged.end
  }
  return write(response, judged.startsAt, options, onAlive)
}

/** Returns where in the file the body begins, or the result if there is no body. */
function judge(
  { status, headers }: Response,
  fromBytes: number,
  totalBytes: number,
): { readonly startsAt: number } | { readonly end: DownloadEnd } {
  const refused = (sentence: string) => ({ end: { kind: 'refused' as const, sentence } })
  const wrongLength = (bytes: string | null) =>
    refused(`The server has a file of ${bytes ?? 'unknown'} bytes where ${totalBytes} were announced.`)
  if (status === 200) {
    const length = headers.get('content-length')
    return length === null || Number(length) === totalBytes ? { startsAt: 0 } : wrongLength(length)
  }
  if (status === 206) {
    const [, from, , total = null] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
    if (Number(total) !== totalBytes) return wrongLength(total)
    return Number(from) === fromBytes
      ? { startsAt: fromBytes }
      : refused('The server sent another part than asked for.')
  }
  // Our part does not match the server's file, so the next attempt begins anew.
  if (status === 416) return { end: { kind: 'cut', reason: 'the server has nothing to go on with' } }
  if (status === 429 || status === 503) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    return { end: { kind: 'busy', waitMs: seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : undefined } }
  }
  if (status >= 500 || status === 408) return { end: { kind: 'cut', reason: `the server answered ${status}` } }
  if (status === 401) return refused('The server refused the download: it does not know the key of this device (401).')
  if (status === 404) return refused('The server does not have this release any more (404).')
  return refused(`The server refused the download (${status}).`)
}

async function write(
  { body }: Response,
  startsAt: number,
  { file, totalBytes, onBytes }: Download,
  onAlive: () => void,
): Promise<DownloadEnd> {
  if (!body) return { kind: 'cut', reason: 'the server sent nothing' }
  const opened = onDisk(() => openSync(file, startsAt > 0 ? 'r+' : 'w', 0o600))
  let received = startsAt
  try {
    if (startsAt > 0) onDisk(() => ftruncateSync(opened, startsAt))
    for await (const chunk of body) {
      onAlive()
      if (received + chunk.length > totalBytes) {
        return { kind: 'refused', sentence: `The server sent more than the ${totalBytes} bytes that were announced.` }
      }
      for (let written = 0; written < chunk.length; ) {
        written += onDisk(() => writeSync(opened, chunk, written, chunk.length - written, received + written))
      }
      received += chunk.length
      onBytes(received)
    }
    onDisk(() => fsyncSync(opened))
  } finally {
    closeSync(opened)
  }
  return received === totalBytes ? { kind: 'whole' } : { kind: 'cut', reason: 'the connection ended early' }
}

/** A failure of the disk, in a sentence for operators. */
export class DiskError extends Error {}

const DISK_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'it is full',
  EDQUOT: 'it is full',
  EROFS: 'it can only be read',
  EACCES: 'the client may not write there',
  EPERM: 'the client may not write there',
}

/** Throws `DiskError` for whatever `node:fs` throws. */
export function onDisk<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    throw new DiskError(`The device cannot write the new client to its disk: ${DISK_REASONS[code] ?? code}.`)
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException }
  return `no connection to the server (${cause?.code ?? cause?.message ?? message})`
}
