import { hash, verify } from '@node-rs/argon2'
import { normalisedPassword } from '#domain/passwords/passwordRules.ts'
import { RateLimited } from '#server/http/limits/rateLimits.ts'

/** Argon2id is the library's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** More at once would only take memory and processors away from everybody else. */
const MOST_AT_ONCE = 2
const MOST_WAITING = 512

let running = 0
const waiting: (() => void)[] = []

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= MOST_AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw new RateLimited(5)
    await new Promise<void>((start) => waiting.push(start))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Hashes to the PHC form, which contains the cost. */
export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(normalisedPassword(password), COST))

let nobodysHash: Promise<string> | undefined

/** Takes the same time whether or not there is a hash, so that nobody learns which names exist. */
export async function isPasswordOf(passwordHash: string | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hash('nobody has this password', COST)
  const compared = passwordHash ?? (await nobodysHash)
  const isEqual = await inTurn(() => verify(compared, normalisedPassword(password)))
  return isEqual && passwordHash !== undefined
}
