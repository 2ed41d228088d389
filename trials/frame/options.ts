/** A whole number, or one of several words. */
export interface Option<Value extends number | string = number | string> {
  readonly means: string
  readonly absent: Value
  readonly least: number
  readonly among: readonly string[]
}

export type Options = Readonly<Record<string, Option>>

export type Values<Given extends Options> = {
  readonly [Name in keyof Given]: Given[Name]['absent']
}

/** @param means what is counted, with its unit */
export const count = (absent: number, means: string, least = 1): Option<number> => ({ means, absent, least, among: [] })

/** Takes one of these words; all of them by default. */
export const oneOf = (among: readonly string[], means: string): Option<string> => ({
  means: `${means}: ${among.join(', ')}`,
  absent: '',
  least: 0,
  among,
})

/** Takes any words; all by default. */
export const words = (means: string): Option<string> => ({ means, absent: '', least: 0, among: [] })

/** A random seed is taken when none is given. */
export const SEED = count(-1, 'the same dice again', 0)

export const NO_LIMIT = 0

/** Every trial by rounds has these options; it ends at what comes first. */
export const roundsOf = (rounds: number, what: string) => ({
  seed: SEED,
  rounds: count(rounds, what),
  seconds: count(NO_LIMIT, 'at most so many seconds; 0 is as long as it takes', 0),
})

export type RoundOptions = ReturnType<typeof roundsOf>
