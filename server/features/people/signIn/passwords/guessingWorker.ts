import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as german } from '@zxcvbn-ts/language-de'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { COMMON_WORDS } from '#domain/passwords/commonPasswords.ts'
import { KNOWN_PHRASES } from './knownPhrases.ts'

export interface ToGuess {
  readonly password: string
  readonly personalTerms: readonly string[]
}

export interface Guessed {
  /** The number of passwords that an attacker who tries words first needs before this one. */
  readonly guesses: number
}

/** So much of a password is enough; the time of judging grows with the square of the length. */
const LONGEST_JUDGED = 64
/** A shorter word occurs in any password by chance. */
const SHORTEST_OWN_WORD = 3

const namedFor = (language: string, lists: Readonly<Record<string, string[]>>) =>
  Object.fromEntries(Object.entries(lists).map(([name, words]) => [`${name}-${language}`, words]))

const judge = new ZxcvbnFactory({
  maxLength: LONGEST_JUDGED,
  graphs: adjacencyGraphs,
  dictionary: { ...common, ...english, ...namedFor('de', german), phrases: KNOWN_PHRASES, triedFirst: COMMON_WORDS },
})

function guessesOf({ password, personalTerms }: ToGuess): number {
  const known = knownWords(personalTerms)
  // Words with spaces between them are guessed as easily as words without.
  const forms = new Set([password, password.replace(/[\s\-_.,'’]+/g, '')])
  return Math.min(...[...forms].map((form) => judge.check(form, known).guesses))
}

/** Lists terms such as `Eva Nováková` or `eva.novak@signs.example` whole and in parts. */
function knownWords(personalTerms: readonly string[]): string[] {
  const words = personalTerms.flatMap((words) => [
    words,
    words.replace(/[^\p{L}\p{N}]+/gu, ''),
    ...words.split(/[^\p{L}\p{N}]+/u),
  ])
  const plain = words.map((word) => word.normalize('NFD').replace(/\p{M}/gu, ''))
  return [...new Set([...words, ...plain])].filter(({ length }) => length >= SHORTEST_OWN_WORD)
}

parentPort?.on('message', (toGuess: ToGuess) => {
  parentPort?.postMessage({ guesses: guessesOf(toGuess) } satisfies Guessed)
})
