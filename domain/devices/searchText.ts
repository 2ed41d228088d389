import anyAscii from 'any-ascii'

/** What a device can be found by, besides its number. */
export interface Searchable {
  readonly name: string
  readonly address: string
  readonly attrSerial: string
  readonly customerName: string
  readonly tags: readonly string[]
}

/** As people write these letters who have them not; else each is written by itself, without what it wears. */
const AS_WRITTEN: readonly (readonly [RegExp, string])[] = [
  [/[äæ]/g, 'ae'],
  [/[öøœ]/g, 'oe'],
  [/ü/g, 'ue'],
  [/å/g, 'aa'],
  [/ο[υύ]/g, 'ou'],
]

/** Beyond it words add nothing that anybody looks for. */
const MOST_CHARACTERS = 4_000
/** So few letters are the beginning of a word; more may stand anywhere in it. */
const BEGINNING_UP_TO = 2

const plain = (text: string) => anyAscii(text.normalize('NFKC')).toLowerCase()
const wordsOf = (plainText: string) => plainText.split(/[^a-z0-9]+/).filter(Boolean)

/**
 * Every word of a device in plain letters, with a space before each: `Köln` as `koln` and `koeln`, `Αθήνα` as `athina`.
 * Who looks for words asks by `searchNeedles`.
 */
export function searchText({ name, address, attrSerial, customerName, tags }: Searchable): string {
  return foldText([name, ...tags, attrSerial, customerName, address])
}

/** The same of its place alone, whose words `searchText` has too. */
export const placeText = (address: string): string => foldText([address])

/** The same of any texts. */
export function foldText(given: readonly string[]): string {
  const texts = given.map((text) => text.normalize('NFKC').toLowerCase())
  const written = texts.map((text) => AS_WRITTEN.reduce((before, [letters, by]) => before.replace(letters, by), text))
  const words = new Set([...texts, ...written].flatMap((text) => wordsOf(plain(text))))
  return ` ${[...words].join(' ')}`.slice(0, MOST_CHARACTERS)
}

/**
 * What the text of a device has to contain to be found, all of it; none for a question without letters or digits.
 * `Kol 7` finds Köln 0137, but not Köln 0237 alone: one and two letters are the beginning of a word.
 */
export function searchNeedles(question: string): readonly string[] {
  const words = new Set(wordsOf(plain(question)))
  return [...words].map((word) => (word.length <= BEGINNING_UP_TO ? ` ${word}` : word))
}

/** What `placeText` has to contain, each the beginning of a word: `am Do` finds the street Am Dom. */
export function placeNeedles(place: string): readonly string[] {
  return [...new Set(wordsOf(plain(place)))].map((word) => ` ${word}`)
}
