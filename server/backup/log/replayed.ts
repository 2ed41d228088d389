import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unsealed } from '../seal/sealInto.ts'
import type { Piece } from './copyNames.ts'
import { type LogPosition, logPositionOf } from './logPosition.ts'

// PostgreSQL replays the log up to the first invalid record, and silently takes that for its end. What it reached is
// therefore read from what it recorded, never from what it was given.

export interface Replayed {
  /** It replayed the log up to this position. */
  readonly end: LogPosition
  /** The last replayed transaction was committed then; undefined where there was none. */
  readonly lastCommitAt: Date | undefined
}

/** Reads what a database that has just recovered did, from its folder and its output at the start. */
export async function readReplayed(folder: string, said: string): Promise<Replayed> {
  const history = (await readdir(join(folder, 'pg_wal'))).filter((name) => name.endsWith('.history')).sort()
  const lines = await readFile(join(folder, 'pg_wal', history.at(-1) ?? ''), 'utf8')
  const [, position = '0/0'] = (lines.trim().split('\n').at(-1) ?? '').split('\t')
  const [, moment] = /last completed transaction was at log time (\S+ \S+)/.exec(said) ?? []
  return { end: logPositionOf(position), lastCommitAt: moment === undefined ? undefined : new Date(moment) }
}

const PAGE_BYTES = 8192n
const [PAGE_HEADER_BYTES, SEGMENT_HEADER_BYTES] = [24, 40]
const RECORD_HEADER_BYTES = 24
const LONGEST_RECORD_BYTES = 1n << 30n

/**
 * True when the log goes on where PostgreSQL stopped, so that something in it was damaged. The last piece may end in
 * the middle of a record, which is no damage.
 */
export async function goesOnBehind(
  end: LogPosition,
  pieces: readonly Piece[],
  key: Buffer | undefined,
  segmentBytes: number,
): Promise<boolean> {
  const last = pieces.at(-1)
  const at = end + BigInt(pageHeaderAt(end, segmentBytes))
  if (!last || last.to - at < RECORD_HEADER_BYTES) return false
  const header = await bytesAt(at, pieces, key)
  if (header.length < RECORD_HEADER_BYTES) return true
  const [bytes, previous] = [BigInt(header.readUInt32LE(0)), header.readBigUInt64LE(8)]
  // What follows is the beginning of a record only when its own header fits that place.
  const isRecord = bytes >= RECORD_HEADER_BYTES && previous < at && at - previous < LONGEST_RECORD_BYTES
  return !isRecord || at + bytes <= last.to
}

const pageHeaderAt = (position: LogPosition, segmentBytes: number): number => {
  if (position % BigInt(segmentBytes) === 0n) return SEGMENT_HEADER_BYTES
  return position % PAGE_BYTES === 0n ? PAGE_HEADER_BYTES : 0
}

async function bytesAt(position: LogPosition, pieces: readonly Piece[], key: Buffer | undefined): Promise<Buffer> {
  const parts: Buffer[] = []
  let left = RECORD_HEADER_BYTES
  for (const piece of pieces) {
    if (piece.to <= position) continue
    let at = piece.from
    for await (const part of unsealed(piece.path, key, 'log')) {
      const skipped = Math.max(0, Number(position - at))
      const taken = part.subarray(skipped, skipped + left)
      parts.push(taken)
      left -= taken.length
      at += BigInt(part.length)
      if (left === 0) return Buffer.concat(parts)
    }
  }
  return Buffer.concat(parts)
}
