import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unsealed } from '../seal/sealInto.ts'
import type { Piece } from './copyNames.ts'
import { type LogPosition, logPositionOf } from './logPosition.ts'

// PostgreSQL plays the log up to the first record that is none, and takes that for its end without a word. What it
// reached is read from what it wrote down, never from what it was given.

export interface Replayed {
  /** Up to where it played the log. */
  readonly end: LogPosition
  /** When the last transaction that it played was committed; undefined where there was none. */
  readonly lastCommitAt: Date | undefined
}

/** What a database that has just recovered did, by its folder and by what it said at its start. */
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
 * Whether the log goes on where PostgreSQL stopped, so that something in it was not what it should be. The last piece
 * may end in the middle of a record, which is no such thing.
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
  // What follows is the beginning of a record only where it says of itself what a record there has to say.
  const isRecord = bytes >= RECORD_HEADER_BYTES && previous < at && at - previous < LONGEST_RECORD_BYTES
  return !isRecord || at + bytes <= last.to
}

const pageHeaderAt = (position: LogPosition, segmentBytes: number): number => {
  if (position % BigInt(segmentBytes) === 0n) return SEGMENT_HEADER_BYTES
  return position % PAGE_BYTES === 0n ? PAGE_HEADER_BYTES : 0
}

/** As many bytes of the log as the header of a record has. */
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
