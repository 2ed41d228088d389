import { normalisedPassword } from '#domain/passwords/passwordRules.ts'
import { CallError } from '#server/http/call/callError.ts'
import { createIdleThread } from '#server/jobs/idleThread.ts'
import type { Guessed, ToGuess } from './guessingWorker.ts'

/** Everybody who uses the product has seen its name. */
const PRODUCT = 'wayside'
/** A year of an attacker who tries 100,000 passwords a second, which is much against Argon2id. */
const FEWEST_GUESSES = 3e12
const MOST_WAITING = 16
const GIVEN_UP_AFTER_MS = 30_000
/** Its dictionaries take 60 MB, and passwords are rarely set. */
const ENDED_WHEN_IDLE_MS = 30_000

const TOO_EASY =
  'This password is too easy to guess: it is made of words, names, dates or rows of keys that are tried first. Use more words that have nothing to do with each other or with you.'

let waiting = 0
/** In a thread: of some passwords it takes a second, and nobody else's call should wait for it. */
const guess = createIdleThread<ToGuess, Guessed>({
  program: new URL('./guessingWorker.ts', import.meta.url),
  givenUpAfterMs: GIVEN_UP_AFTER_MS,
  endedWhenIdleMs: ENDED_WHEN_IDLE_MS,
})

/**
 * Why a password would be guessed, in a sentence; undefined when it would not. Beside the rules of `domain/passwords`,
 * which say at once what is wrong without any dictionary.
 *
 * @param ownWords names and addresses of its user, which whoever guesses knows
 * @throws CallError `too_many_requests` when too many wait
 */
export async function whyGuessable(password: string, ownWords: readonly string[]): Promise<string | undefined> {
  if (waiting >= MOST_WAITING) throw new CallError('too_many_requests', undefined, { retryAfterSeconds: 5 })
  waiting += 1
  const toGuess = { password: normalisedPassword(password), ownWords: [...ownWords, PRODUCT] }
  const { guesses } = await guess(toGuess).finally(() => (waiting -= 1))
  return guesses < FEWEST_GUESSES ? TOO_EASY : undefined
}
