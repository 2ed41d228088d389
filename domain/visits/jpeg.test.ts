import { expect, test } from 'vitest'
import { jpegTrouble } from './jpeg.ts'

const segment = (marker: number, content: string) => [
  0xff,
  marker,
  0,
  content.length + 2,
  ...[...content].map((letter) => letter.charCodeAt(0)),
]
const JFIF = segment(0xe0, 'JFIF\0')
const SCAN = segment(0xda, 'x')
const jpeg = (...segments: readonly number[][]) => Uint8Array.from([0xff, 0xd8, ...segments.flat(), 1, 2, 3])

test('a picture alone is taken', () => {
  const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01')
  expect(jpegTrouble(jpeg(JFIF, profile, segment(0xdb, 'tables'), segment(0xee, 'Adobe'), SCAN))).toBeUndefined()
})

test.each([
  ['EXIF', segment(0xe1, 'Exif\0\0')],
  ['several pictures', segment(0xe2, 'MPF\0')],
  ['IPTC', segment(0xed, 'Photoshop')],
  ['a comment', segment(0xfe, 'at home')],
])('a picture with %s is not', (_, extra) => {
  expect(jpegTrouble(jpeg(JFIF, extra, SCAN))).toBe('carries more than the picture')
})

test.each([
  ['nothing', Uint8Array.of()],
  ['a PNG', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d])],
  ['a cut one', jpeg(JFIF).subarray(0, 9)],
  ['one whose segment leads out of it', jpeg([0xff, 0xe0, 0xff, 0xff])],
  ['one whose segment is not one', jpeg(JFIF, [0, 0, 0, 0])],
])('%s is no picture', (_, bytes) => {
  expect(jpegTrouble(bytes)).toBe('no JPEG')
})
