import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { normalisedPassword } from '#domain/passwords/passwordRules.ts'
import { CallError } from '#server/http/call/callError.ts'
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
let before: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

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
  const mine = before.then(() => guessesOf(toGuess)).finally(() => (waiting -= 1))
  before = mine.catch(() => undefined)
  return (await mine) < FEWEST_GUESSES ? TOO_EASY : undefined
}

/** In a thread: of some passwords it takes a second, and nobody else's call should wait for it. */
async function guessesOf(toGuess: ToGuess): Promise<number> {
  clearTimeout(idle)
  // Without our environment: it needs none, and there are secrets in it.
  thread ??= new Worker(new URL('./guessingWorker.ts', import.meta.url), { env: {} })
  const asked = thread
  asked.ref()
  const answered = new AbortController()
  const { signal } = answered
  try {
    asked.postMessage(toGuess)
    const gone = once(asked, 'exit', { signal }).then(() => Promise.reject(new Error('The thread ended.')))
    const late = sleep(GIVEN_UP_AFTER_MS, undefined, { signal }).then(() =>
      Promise.reject(new Error('It took too long.')),
    )
    const [{ guesses }] = await Promise.race([once(asked, 'message', { signal }), gone, late])
    return guesses as Guessed['guesses']
  } catch (failure) {
    endThread()
    throw failure
  } finally {
    answered.abort()
    asked.unref()
    idle = setTimeout(endThread, ENDED_WHEN_IDLE_MS).unref()
  }
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}
