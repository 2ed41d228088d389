import { setTimeout as sleep } from 'node:timers/promises'
import { normalisedPassword } from '#domain/passwords/passwordRules.ts'
import { CallError } from '#server/http/call/callError.ts'
import { IdleThread } from '#server/jobs/IdleThread.ts'
import type { Guessed, ToGuess } from './guessingWorker.ts'

/** Everybody who uses the product has seen its name. */
const PRODUCT = 'wayside'
/** An attacker who tries 100,000 passwords a second needs a year, which is fast against Argon2id. */
const FEWEST_GUESSES = 3e12
const MOST_WAITING = 16
const GUESSING_PROGRAM = new URL('./guessingWorker.ts', import.meta.url)
const TRY_AGAIN = { retryAfterSeconds: 5 }
/** Somebody who waits longer is asked to try again; the thread works on, and answers the next one sooner. */
const ANSWERED_WITHIN_MS = 30_000
/** Reading the dictionaries takes half a minute on a busy machine: a thread that is ended before never answers. */
const GIVEN_UP_AFTER_MS = 300_000
/** The dictionaries take 60 MB, and passwords are rarely set. */
const ENDED_WHEN_IDLE_MS = 30_000

const TOO_EASY =
  'This password is too easy to guess: it is made of words, names, dates or rows of keys that are tried first. Use more words that have nothing to do with each other or with you.'

/**
 * Judges passwords in a thread, one after the other: some take a second, and no other call should wait for them.
 * @param answeredWithinMs refuses with `not_ready` whoever waits longer, while the thread works on
 */
export function createGuessing({ program = GUESSING_PROGRAM, answeredWithinMs = ANSWERED_WITHIN_MS } = {}) {
  let waiting = 0
  const thread = new IdleThread<ToGuess, Guessed>({
    program,
    givenUpAfterMs: GIVEN_UP_AFTER_MS,
    endedWhenIdleMs: ENDED_WHEN_IDLE_MS,
  })

  return async (password: string, personalTerms: readonly string[]): Promise<string | undefined> => {
    if (waiting >= MOST_WAITING) throw new CallError('too_many_requests', undefined, TRY_AGAIN)
    waiting += 1
    const toGuess = { password: normalisedPassword(password), personalTerms: [...personalTerms, PRODUCT] }
    const judging = thread.ask(toGuess).finally(() => (waiting -= 1))
    const { guesses } = await within(judging, answeredWithinMs)
    return guesses < FEWEST_GUESSES ? TOO_EASY : undefined
  }
}

/** @throws CallError `not_ready` when it takes longer */
async function within<Answer>(judging: Promise<Answer>, withinMs: number): Promise<Answer> {
  const over = new AbortController()
  const late = async (): Promise<never> => {
    await sleep(withinMs, undefined, { signal: over.signal })
    throw new CallError('not_ready', undefined, TRY_AGAIN)
  }
  try {
    return await Promise.race([judging, late()])
  } finally {
    over.abort()
  }
}

/**
 * Explains in a sentence why a password would be guessed; undefined when it would not. The rules of `domain/passwords`
 * are checked elsewhere, because they need no dictionary.
 * @param personalTerms are names and addresses of the user, which a guesser knows
 * @throws CallError `too_many_requests` when too many wait, `not_ready` when the answer takes too long
 */
export const whyGuessable = createGuessing()
