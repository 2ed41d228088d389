import type { CompressionCodec, DataReader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { readVarInt } from 'hyparquet/src/thrift.js'
import { decompressors } from './closedFile.ts'

/**
 * Reads a full column of moments. The library makes an integer of any size of each, which takes as long as all the rest
 * of a column; here they are numbers, which hold every moment until the year 2112 in microseconds.
 *
 * @returns undefined for a column that is written in another way, which the library reads
 */
export function deltaTimes(
  column: DataReader,
  codec: CompressionCodec,
  rows: number,
  unit: number,
): Float64Array | undefined {
  const reader = { ...column }
  const { compressed_page_size: size, data_page_header_v2: header } = parquetHeader(reader)
  if (header?.encoding !== 'DELTA_BINARY_PACKED' || header.num_nulls > 0 || header.is_compressed === false)
    return undefined
  if (header.definition_levels_byte_length + header.repetition_levels_byte_length > 0 || header.num_values !== rows)
    return undefined
  const { buffer, byteOffset } = reader.view
  const page = new Uint8Array(buffer, byteOffset + reader.offset, size)
  const bytes = codec === 'ZSTD' ? decompressors.ZSTD(page) : page
  return readDeltas({ view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }, rows, unit)
}

/** Blocks of deltas: the least one, then the bit widths of small blocks, then what each is above the least. */
function readDeltas(reader: DataReader, rows: number, unit: number): Float64Array {
  const { view } = reader
  const perBlock = readVarInt(reader)
  const blocks = readVarInt(reader)
  readVarInt(reader)
  const times = new Float64Array(rows)
  let at = signedNumber(reader)
  if (rows > 0) times[0] = at * unit
  for (let row = 1; row < rows; ) {
    const least = signedNumber(reader)
    const widthsAt = reader.offset
    reader.offset += blocks
    for (let block = 0; block < blocks && row < rows; block++) {
      const width = view.getUint8(widthsAt + block)
      const end = Math.min(rows, row + perBlock / blocks)
      for (let bit = reader.offset * 8; row < end; bit += width) {
        at += least + bitsAt(view, bit, width)
        times[row++] = at * unit
      }
      reader.offset += (width * perBlock) / blocks / 8
    }
  }
  return times
}

/** More than 32 bits do not fit into the integers of bitwise operators. */
function bitsAt(view: DataView, begin: number, width: number): number {
  let value = 0
  for (let [read, factor] = [0, 1]; read < width; ) {
    const skipped = (begin + read) & 7
    const taken = Math.min(8 - skipped, width - read)
    value += ((view.getUint8((begin + read) >>> 3) >>> skipped) & ((1 << taken) - 1)) * factor
    factor *= 1 << taken
    read += taken
  }
  return value
}

function signedNumber(reader: DataReader): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const byte = reader.view.getUint8(reader.offset++)
    value += (byte & 127) * factor
    if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}
