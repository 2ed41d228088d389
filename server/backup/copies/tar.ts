import { BackupRefused } from '../seal/backupRefused.ts'

const BLOCK = 512
const LARGEST_OCTAL = 8 ** 11 - 1

export interface TarEntry {
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly mode: number
  readonly bytes: number
}

/** Receives the entries: the bytes of each come in order, and `end` follows the last of them. */
export interface TarTaker {
  begin(entry: TarEntry): Promise<void>
  take(bytes: Buffer): Promise<void>
  end(): Promise<void>
}

const paddingOf = (bytes: number) => (BLOCK - (bytes % BLOCK)) % BLOCK

/** Reads an archive as PostgreSQL and `tarHeader` write them, holding one block at most. */
export async function readTar(source: AsyncIterable<Buffer>, taker: TarTaker): Promise<void> {
  let header = Buffer.alloc(0)
  let left = 0
  let padding = 0
  for await (let chunk of source) {
    while (chunk.length > 0) {
      if (left > 0) {
        const part = chunk.subarray(0, left)
        await taker.take(part)
        left -= part.length
        chunk = chunk.subarray(part.length)
        if (left === 0) await taker.end()
      } else if (padding > 0) {
        const skipped = Math.min(padding, chunk.length)
        padding -= skipped
        chunk = chunk.subarray(skipped)
      } else {
        const part = chunk.subarray(0, BLOCK - header.length)
        header = Buffer.concat([header, part])
        chunk = chunk.subarray(part.length)
        if (header.length < BLOCK) continue
        const entry = entryOf(header)
        header = Buffer.alloc(0)
        if (!entry) continue
        await taker.begin(entry)
        left = entry.bytes
        padding = paddingOf(entry.bytes)
        if (left === 0) await taker.end()
      }
    }
  }
  if (left > 0 || header.length > 0) throw new BackupRefused('An archive of the copy ends in the middle of a file.')
}

/** @returns undefined for the empty blocks at the end */
function entryOf(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  if (Number.parseInt(textIn(block, 148, 8).trim(), 8) !== checksumOf(block)) {
    throw new BackupRefused('An archive of the copy has a header that is damaged.')
  }
  const prefix = textIn(block, 345, 155)
  const name = textIn(block, 0, 100)
  const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, '').replace(/\/$/, '')
  const type = String.fromCharCode(block[156] ?? 0)
  if (path.split('/').includes('..') || path.startsWith('/')) {
    throw new BackupRefused(`An archive of the copy holds the path ${path}, which leads out of it.`)
  }
  if (type !== '0' && type !== '\0' && type !== '5') {
    throw new BackupRefused(`An archive of the copy holds ${path}, which is neither a file nor a folder.`)
  }
  const kind = type === '5' ? 'folder' : 'file'
  return {
    path,
    kind,
    mode: Number.parseInt(textIn(block, 100, 8), 8) & 0o777,
    bytes: kind === 'file' ? sizeIn(block) : 0,
  }
}

/** Reads octal digits, or from 8 GB on a binary number. */
function sizeIn(block: Buffer): number {
  if (((block[124] ?? 0) & 0x80) !== 0) return Number(block.readBigUInt64BE(128))
  return Number.parseInt(textIn(block, 124, 12).trim(), 8)
}

function textIn(block: Buffer, at: number, length: number): string {
  const bytes = block.subarray(at, at + length)
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end === -1 ? length : end).toString()
}

function checksumOf(block: Buffer): number {
  let sum = 0
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0)
  return sum
}

/** Makes the header of an entry. @throws when the path is longer than the format allows */
export function tarHeader({ path, kind, mode, bytes }: TarEntry): Buffer {
  const block = Buffer.alloc(BLOCK)
  const cut = Buffer.byteLength(path) <= 100 ? -1 : path.indexOf('/', Math.max(0, path.length - 101))
  const [prefix, name] = cut === -1 ? ['', path] : [path.slice(0, cut), path.slice(cut + 1)]
  if (Buffer.byteLength(name) > 100 || Buffer.byteLength(prefix) > 155) {
    throw new BackupRefused(`The path ${path} in the data folder is too long for a backup.`)
  }
  block.write(name, 0)
  block.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  block.write('0000000\0'.repeat(2), 108)
  if (bytes > LARGEST_OCTAL) {
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(bytes), 128)
  } else {
    block.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  }
  block.write('00000000000\0', 136)
  block.write(kind === 'folder' ? '5' : '0', 156)
  block.write('ustar\x0000', 257)
  block.write(prefix, 345)
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

export const tarPadding = (bytes: number) => Buffer.alloc(paddingOf(bytes))
export const TAR_END = Buffer.alloc(2 * BLOCK)
