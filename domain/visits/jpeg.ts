const START_OF_IMAGE = 0xffd8
const START_OF_SCAN = 0xda
/** JFIF's own segment, and Adobe's, which says how colours are coded. */
const HARMLESS_SEGMENTS = new Set([0xe0, 0xee])
/** Browsers write the colours of a picture into this segment, which cameras use for other data too. */
const PROFILE_SEGMENT = 0xe2
const PROFILE = 'ICC_PROFILE\0'
const isApplicationSegment = (marker: number) => marker >= 0xe0 && marker <= 0xef
const COMMENT = 0xfe

export type JpegTrouble = 'no JPEG' | 'carries more than the picture'

/**
 * Returns what is wrong with a photo: it is no JPEG, or it carries more than the picture, such as the place where it
 * was taken (EXIF, XMP, comments). Only the segments before the picture are read.
 */
export function jpegTrouble(bytes: Uint8Array): JpegTrouble | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 4 || view.getUint16(0) !== START_OF_IMAGE) return 'no JPEG'
  let at = 2
  while (at + 4 <= bytes.length) {
    if (view.getUint8(at) !== 0xff) return 'no JPEG'
    const marker = view.getUint8(at + 1)
    if (marker === START_OF_SCAN) return undefined
    const isProfile = marker === PROFILE_SEGMENT && beginsWith(bytes.subarray(at + 4), PROFILE)
    const isHarmless = HARMLESS_SEGMENTS.has(marker) || isProfile
    if (marker === COMMENT || (isApplicationSegment(marker) && !isHarmless)) return 'carries more than the picture'
    at += 2 + view.getUint16(at + 2)
  }
  return 'no JPEG'
}

const beginsWith = (bytes: Uint8Array, text: string) =>
  [...text].every((letter, index) => bytes[index] === letter.charCodeAt(0))
