const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const COPY_DATA = 0x64
const COPY_DONE = 0x63
const FIRST_BYTES = 64 * 1024
const TWO_TO_32 = 4_294_967_296
const PG_EPOCH_MS = Date.UTC(2000, 0, 1)

/** Writes rows of the binary COPY format as one CopyData message and a CopyDone; it can be used again and again. */
export class CopyBuffer {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #view = viewOf(this.#bytes)
  #at = 0

  begin(): void {
    this.#at = 0
    this.#bytes[0] = COPY_DATA
    SIGNATURE.copy(this.#bytes, 5)
    this.#bytes.fill(0, 5 + SIGNATURE.length, 5 + SIGNATURE.length + 8)
    this.#at = 5 + SIGNATURE.length + 8
  }

  /** @param bytes the most that is written until the next call */
  row(columns: number, bytes: number): void {
    this.#reserve(bytes + 2)
    this.#view.setInt16(this.#at, columns)
    this.#at += 2
  }

  absent(): void {
    this.#view.setInt32(this.#at, -1)
    this.#at += 4
  }

  int16(value: number): void {
    this.#view.setInt32(this.#at, 2)
    this.#view.setInt16(this.#at + 4, value)
    this.#at += 6
  }

  boolean(value: boolean): void {
    this.#view.setInt32(this.#at, 1)
    this.#view.setUint8(this.#at + 4, value ? 1 : 0)
    this.#at += 5
  }

  int32(value: number): void {
    this.#view.setInt32(this.#at, 4)
    this.#view.setInt32(this.#at + 4, value)
    this.#at += 8
  }

  real(value: number): void {
    this.#view.setInt32(this.#at, 4)
    this.#view.setFloat32(this.#at + 4, value)
    this.#at += 8
  }

  timestamp(ms: number): void {
    const microseconds = postgresMicroseconds(ms)
    const high = Math.floor(microseconds / TWO_TO_32)
    this.#view.setInt32(this.#at, 8)
    this.#view.setInt32(this.#at + 4, high)
    this.#view.setUint32(this.#at + 8, microseconds - high * TWO_TO_32)
    this.#at += 12
  }

  /** @param bytesBehind the most that follows in this row */
  text(value: string, bytesBehind: number): void {
    const length = Buffer.byteLength(value)
    this.#reserve(length + 4 + bytesBehind)
    this.#view.setInt32(this.#at, length)
    this.#bytes.write(value, this.#at + 4, 'utf8')
    this.#at += 4 + length
  }

  /** Writes a jsonb value, which has a version byte in front. */
  json(value: string, bytesBehind: number): void {
    const length = Buffer.byteLength(value)
    this.#reserve(length + 5 + bytesBehind)
    this.#view.setInt32(this.#at, length + 1)
    this.#bytes[this.#at + 4] = 1
    this.#bytes.write(value, this.#at + 5, 'utf8')
    this.#at += 5 + length
  }

  /** Returns the finished messages; they are valid until the next `begin`. */
  end(): Buffer {
    this.#reserve(7)
    this.#view.setInt16(this.#at, -1)
    this.#at += 2
    this.#view.setInt32(1, this.#at - 1)
    this.#bytes[this.#at] = COPY_DONE
    this.#view.setInt32(this.#at + 1, 4)
    this.#at += 5
    return this.#bytes.subarray(0, this.#at)
  }

  /** Leaves the bytes to a connection that may still be sending them, and takes new ones. */
  abandon(): void {
    this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
    this.#view = viewOf(this.#bytes)
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + bytes))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
    this.#view = viewOf(larger)
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Converts to microseconds since 2000, as PostgreSQL sends a timestamptz in binary. */
function postgresMicroseconds(ms: number): number {
  return Math.round((ms - PG_EPOCH_MS) * 1000)
}
