/** A place in the write-ahead log of PostgreSQL, in bytes from its beginning. */
export type LogPosition = bigint

/** Reads PostgreSQL's notation, as in `16/B374D848`. */
export function logPositionOf(text: string): LogPosition {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export const writtenPosition = (position: LogPosition) =>
  `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase()

/** Formats a position so that file names sort like positions. */
export const sixteenDigits = (position: LogPosition) => position.toString(16).padStart(16, '0')

export const eightDigits = (number: number | bigint) => number.toString(16).padStart(8, '0').toUpperCase()

/** Returns the name that PostgreSQL gives to the log segment in which a position lies. */
export function segmentName(timeline: number, position: LogPosition, segmentBytes: number): string {
  const number = position / BigInt(segmentBytes)
  const perFile = 0x1_0000_0000n / BigInt(segmentBytes)
  return `${eightDigits(timeline)}${eightDigits(number / perFile)}${eightDigits(number % perFile)}`
}
