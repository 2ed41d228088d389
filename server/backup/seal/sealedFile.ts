import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import { BackupRefused } from './backupRefused.ts'
import { openFile, refuseUnreadable } from './openFile.ts'

// A sealed file has a header that everybody may read, and chunks that are each proven: by AES-256-GCM with a key, by a
// part of their SHA-256 without one. Each proof covers the number of the chunk, whether it is the last, and the hash of
// the header, so chunks cannot be exchanged, left out, or joined with those of another file.

const FORMAT = 1
const KEY_BYTES = 32
const MAGIC = Buffer.from('WAYSIDE-BACKUP\n')
const LARGEST_HEADER_BYTES = 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const PROOF_BYTES = 16
const SALT_BYTES = 32
const LAST_CHUNK = 0x8000_0000
const HASH_BYTES = 32

export type Kind = 'summary' | 'content' | 'log' | 'logEnd' | 'copies'

interface Seal {
  readonly format: number
  readonly kind: Kind
  /** Names the file for ever, and derives its own key. */
  readonly salt: string
  /** Distinguishes a wrong key from damage; absent where nothing is encrypted. */
  readonly keyCheck?: string
}

export interface Header<Facts = unknown> extends Seal {
  /** Anybody can read these without the key, so they are never secret. */
  readonly facts: Facts
}

interface Proof {
  readonly headerHash: Buffer
  readonly fileKey: Buffer | undefined
}

const sha256 = (...parts: readonly Buffer[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const fileKeyOf = (key: Buffer, salt: string) =>
  Buffer.from(hkdfSync('sha256', key, Buffer.from(salt, 'hex'), 'wayside backup file', KEY_BYTES))

const keyCheckOf = (fileKey: Buffer) => createHmac('sha256', fileKey).update('key check').digest('hex').slice(0, 32)

const boundTo = ({ headerHash }: Proof, index: number, isLast: boolean) => {
  const bound = Buffer.alloc(HASH_BYTES + 9)
  headerHash.copy(bound)
  bound.writeBigUInt64BE(BigInt(index), HASH_BYTES)
  bound[HASH_BYTES + 8] = isLast ? 1 : 0
  return bound
}

const nonceOf = (index: number) => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 4)
  return nonce
}

function sealChunk(proof: Proof, index: number, isLast: boolean, plain: Buffer): Buffer[] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE((plain.length | (isLast ? LAST_CHUNK : 0)) >>> 0)
  const bound = boundTo(proof, index, isLast)
  if (!proof.fileKey) return [length, plain, sha256(bound, plain).subarray(0, PROOF_BYTES)]
  const cipher = createCipheriv('aes-256-gcm', proof.fileKey, nonceOf(index)).setAAD(bound)
  return [length, cipher.update(plain), cipher.final(), cipher.getAuthTag()]
}

/** @returns undefined when the chunk was changed */
function openChunk(proof: Proof, index: number, isLast: boolean, body: Buffer, given: Buffer): Buffer | undefined {
  const bound = boundTo(proof, index, isLast)
  if (!proof.fileKey) return timingSafeEqual(sha256(bound, body).subarray(0, PROOF_BYTES), given) ? body : undefined
  const decipher = createDecipheriv('aes-256-gcm', proof.fileKey, nonceOf(index)).setAAD(bound).setAuthTag(given)
  const plain = decipher.update(body)
  try {
    decipher.final()
    return plain
  } catch {
    return undefined
  }
}

/** Turns bytes into those of a sealed file; it needs the memory of two chunks. */
export class Sealer extends Transform {
  /** A summary names this file by its salt. */
  readonly salt = randomBytes(SALT_BYTES).toString('hex')
  readonly #proof: Proof
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #index = 0

  constructor(kind: Kind, facts: unknown, key: Buffer | undefined) {
    super()
    const fileKey = key && fileKeyOf(key, this.salt)
    const header: Header = {
      format: FORMAT,
      kind,
      salt: this.salt,
      ...(fileKey ? { keyCheck: keyCheckOf(fileKey) } : {}),
      facts,
    }
    const text = Buffer.from(JSON.stringify(header))
    const headerHash = sha256(text)
    this.#proof = { headerHash, fileKey }
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    this.push(Buffer.concat([MAGIC, length, text, headerHash]))
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    // The last chunk is marked, and it is not known yet whether this is it.
    if (this.#waitingBytes > CHUNK_BYTES) {
      const all = Buffer.concat(this.#waiting)
      let at = 0
      for (; all.length - at > CHUNK_BYTES; at += CHUNK_BYTES) this.#seal(all.subarray(at, at + CHUNK_BYTES), false)
      this.#waiting = [all.subarray(at)]
      this.#waitingBytes = all.length - at
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#seal(Buffer.concat(this.#waiting), true)
    done()
  }

  #seal(plain: Buffer, isLast: boolean): void {
    for (const part of sealChunk(this.#proof, this.#index, isLast, plain)) this.push(part)
    this.#index += 1
  }
}

/** Reads so many bytes from its position; fewer at the end of the file. */
class Cursor {
  at = 0
  readonly #file: FileHandle
  readonly #path: string

  constructor(file: FileHandle, path: string) {
    this.#file = file
    this.#path = path
  }

  async take(bytes: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(bytes)
    let filled = 0
    while (filled < bytes) {
      const reading = this.#file.read(buffer, filled, bytes - filled, this.at)
      const { bytesRead } = await reading.catch(refuseUnreadable(this.#path))
      if (bytesRead === 0) break
      filled += bytesRead
      this.at += bytesRead
    }
    return buffer.subarray(0, filled)
  }
}

async function takeHeader<Facts>(cursor: Cursor, name: string, kind: Kind) {
  if (!(await cursor.take(MAGIC.length)).equals(MAGIC)) throw new BackupRefused(`${name} is no backup of Wayside.`)
  const length = await cursor.take(4)
  const headerBytes = length.length === 4 ? length.readUInt32BE() : 0
  if (headerBytes > LARGEST_HEADER_BYTES) throw new BackupRefused(`${name} is damaged in its header.`)
  const text = await cursor.take(headerBytes)
  const headerHash = await cursor.take(HASH_BYTES)
  if (text.length < headerBytes || headerHash.length < HASH_BYTES) {
    throw new BackupRefused(`${name} is cut off in its header.`)
  }
  if (!sha256(text).equals(headerHash)) throw new BackupRefused(`${name} is damaged in its header.`)
  const header = JSON.parse(text.toString()) as Header<Facts>
  if (header.format > FORMAT) {
    throw new BackupRefused(
      `${name} was written by a newer Wayside (format ${header.format}); this one reads format ${FORMAT}.`,
    )
  }
  if (header.kind !== kind) throw new BackupRefused(`${name} is not what its name says: it is a ${header.kind}.`)
  return { header, headerHash }
}

/** Reads what a sealed file says without a key; only `readSealed` proves that it was not exchanged. */
export async function readHeader<Facts>(path: string, kind: Kind): Promise<Header<Facts>> {
  const file = await openFile(path)
  try {
    return (await takeHeader<Facts>(new Cursor(file, path), basename(path), kind)).header
  } finally {
    await file.close()
  }
}

/** True when the file was sealed with this key, or without one where none is given. */
export async function isSealedWith(path: string, kind: Kind, key: Buffer | undefined): Promise<boolean> {
  const { keyCheck, salt } = await readHeader(path, kind)
  return keyCheck === (key && keyCheckOf(fileKeyOf(key, salt)))
}

function fileKeyFor(header: Header, name: string, key: Buffer | undefined): Buffer | undefined {
  if (header.keyCheck === undefined) return undefined
  if (!key) {
    throw new BackupRefused(`${name} is encrypted: set WAYSIDE_BACKUP_KEY or WAYSIDE_BACKUP_KEY_FILE to its key.`)
  }
  const fileKey = fileKeyOf(key, header.salt)
  if (keyCheckOf(fileKey) !== header.keyCheck) throw new BackupRefused(`${name} was encrypted with another key.`)
  return fileKey
}

/**
 * Yields the sealed bytes chunk by chunk, none before it is proven.
 *
 * @throws BackupRefused with the name of the file and the reason
 */
export async function* readSealed(path: string, kind: Kind, key: Buffer | undefined): AsyncGenerator<Buffer, void> {
  const name = basename(path)
  const file = await openFile(path)
  try {
    const cursor = new Cursor(file, path)
    const { header, headerHash } = await takeHeader(cursor, name, kind)
    const proof = { headerHash, fileKey: fileKeyFor(header, name, key) }
    for (let index = 0, isLast = false; !isLast; index += 1) {
      const beganAt = cursor.at
      const length = await cursor.take(4)
      const word = length.length === 4 ? length.readUInt32BE() : 0
      const bodyBytes = word % LAST_CHUNK
      isLast = word >= LAST_CHUNK
      if (bodyBytes > CHUNK_BYTES) throw new BackupRefused(`${name} is damaged after ${beganAt} bytes.`)
      const body = await cursor.take(bodyBytes)
      const given = await cursor.take(PROOF_BYTES)
      if (length.length < 4 || given.length < PROOF_BYTES) {
        throw new BackupRefused(`${name} is cut off after ${cursor.at} bytes.`)
      }
      const plain = openChunk(proof, index, isLast, body, given)
      if (!plain) throw new BackupRefused(`${name} is damaged after ${beganAt} bytes.`)
      if (plain.length > 0) yield plain
    }
    if ((await cursor.take(1)).length > 0) throw new BackupRefused(`${name} goes on behind its end.`)
  } finally {
    await file.close()
  }
}
