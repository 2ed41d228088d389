import { withoutEnd } from '../texts/withoutEnd.ts'

/** A word of a question, as it was typed and as it is compared. */
export interface Token {
  readonly typed: string
  /** The text in small letters without accents; empty for a quoted text, so that it is no word of the grammar. */
  readonly word: string
  readonly quoted?: string
}

const PARTS = /["“”„]([^"“”„]*)["“”„]?|[<>≤≥]=?|[^\s"“”„<>≤≥]+/gu
/** These end a word of a sentence, and are part of it nowhere else. */
const SENTENCE_SIGNS = ',;:?!'

export const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(PARTS)].flatMap(([typed, quoted]): Token[] => {
    if (quoted !== undefined) return quoted.trim() === '' ? [] : [{ typed, word: '', quoted: quoted.trim() }]
    const bare = withoutEnd(typed, SENTENCE_SIGNS)
    return bare === '' ? [] : [{ typed: bare, word: folded(bare) }]
  })
}

/** Returns the number of tokens of the longest of these phrases at this position. */
export function phraseAt(tokens: readonly Token[], at: number, phrases: readonly string[]): number | undefined {
  const lengths = phrases
    .map((phrase) => phrase.split(' '))
    .filter((words) => words.every((word, index) => tokens[at + index]?.word === word))
  return lengths.length === 0 ? undefined : Math.max(...lengths.map((words) => words.length))
}
