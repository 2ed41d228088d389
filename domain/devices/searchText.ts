import anyAscii from 'any-ascii'

export interface Searchable {
  readonly name: string
  readonly address: string
  readonly attrSerial: string
  readonly customerName: string
  readonly tags: readonly string[]
}

/** These letters also get their common transcription; every other letter only loses its accents. */
const AS_WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/[äæ]/g, 'ae'],
  [/[öøœ]/g, 'oe'],
  [/ü/g, 'ue'],
  [/å/g, 'aa'],
  [/ο[υύ]/g, 'ou'],
]

/** Nobody searches for words beyond this length. */
const MOST_CHARACTERS = 4_000
/** This few letters match only the beginning of a word; more may be anywhere in it. */
const BEGINNING_UP_TO = 2

const plain = (text: string) => anyAscii(text.normalize('NFKC')).toLowerCase()
const wordsOf = (plainText: string) => plainText.split(/[^a-z0-9]+/).filter(Boolean)

/**
 * Returns every word of a device in plain letters, with a space before each: `Köln` as `koln` and `koeln`, `Αθήνα` as
 * `athina`. `searchNeedles` returns what to search for in it.
 */
export function searchText({ name, address, attrSerial, customerName, tags }: Searchable): string {
  return foldText([name, ...tags, attrSerial, customerName, address])
}

export const placeText = (address: string): string => foldText([address])

export function foldText(given: readonly string[]): string {
  const texts = given.map((text) => text.normalize('NFKC').toLowerCase())
  const written = texts.map((text) => AS_WRITTEN.reduce((before, [letters, by]) => before.replace(letters, by), text))
  const words = new Set([...texts, ...written].flatMap((text) => wordsOf(plain(text))))
  return ` ${[...words].join(' ')}`.slice(0, MOST_CHARACTERS)
}

/**
 * Returns what the text of a device must contain, all of it; none for a question without letters or digits. `Kol 7`
 * finds Köln 0137, but not Köln 0237 alone: one and two letters match only the beginning of a word.
 */
export function searchNeedles(question: string): readonly string[] {
  const words = new Set(wordsOf(plain(question)))
  return [...words].map((word) => (word.length <= BEGINNING_UP_TO ? ` ${word}` : word))
}

/** Returns what `placeText` must contain, each the beginning of a word: `am Do` finds the street Am Dom. */
export function placeNeedles(place: string): readonly string[] {
  return [...new Set(wordsOf(plain(place)))].map((word) => ` ${word}`)
}
