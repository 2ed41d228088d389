import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Option, SEED } from './options.ts'
import type { Trial } from './trial.ts'

export type Kind = 'bench' | 'campaign' | 'drill'

const EVERY = 'every'
const LARGEST_SEED = 1_000_000

export type Chosen = Readonly<{ trial: Trial; values: Readonly<Record<string, number | string>> }>

const flagOf = (option: string) => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const commandOf = (kind: Kind) => `npm run ${kind} --`

const shownDefault = (option: Option) =>
  option === SEED ? 'a fresh one' : option.absent === '' ? 'all' : option.absent

/** Lists the trials with their options, and what each proves. */
export function usageOf(kind: Kind, trials: readonly Trial[]): string {
  const paragraphs = trials.map(({ name, proves, options, brief }) => {
    const lines = Object.entries(options).map(
      ([option, described]) => `  --${flagOf(option).padEnd(20)} ${described.means} (${shownDefault(described)})`,
    )
    const short = brief === undefined ? [] : [`  --${'brief'.padEnd(20)} a short one: ${written(brief as never)}`]
    return [`${commandOf(kind)} ${name}`, `  ${proves}`, ...lines, ...short].join('\n')
  })
  const all = `${commandOf(kind)} ${EVERY} [OPTION …]\n  One after the other; each takes the options.`
  return [...paragraphs, all].join('\n\n')
}

/**
 * Reads which trials to run, with the values of their options.
 *
 * @throws one sentence that names the option and the reason
 */
export function readArguments(kind: Kind, trials: readonly Trial[], given: readonly string[]): readonly Chosen[] {
  const [name, ...rest] = given
  const named = trials.filter((trial) => name === EVERY || trial.name === name)
  if (named.length === 0) {
    const known = [...trials.map((trial) => trial.name), EVERY].join(', ')
    throw new Error(name === undefined ? `Which ${kind}? ${known}.` : `There is no ${kind} "${name}", only ${known}.`)
  }
  // All of them have one seed, so that one number repeats the whole.
  const seed = randomInt(LARGEST_SEED)
  return named.map((trial) => ({ trial, values: valuesOf(trial, rest, seed) }))
}

function valuesOf(trial: Trial, given: readonly string[], freshSeed: number) {
  const flags = Object.fromEntries(
    Object.keys(trial.options).map((option) => [flagOf(option), { type: 'string' as const }]),
  )
  const { values } = parsed(trial, given, { ...flags, ...(trial.brief && { brief: { type: 'boolean' as const } }) })
  const absent = values.brief === true ? (trial.brief as Readonly<Record<string, number | string>>) : {}
  return Object.fromEntries(
    Object.entries(trial.options).map(([option, described]) => {
      const words = values[flagOf(option)]
      if (typeof words === 'string') return [option, readValue(flagOf(option), described, words)]
      return [option, absent[option] ?? (described === SEED ? freshSeed : described.absent)]
    }),
  )
}

type Flags = Readonly<Record<string, { type: 'string' | 'boolean' }>>

function parsed({ name, options }: Trial, given: readonly string[], flags: Flags) {
  try {
    return parseArgs({ args: [...given], options: flags, strict: true })
  } catch (error) {
    const known = Object.keys(flags).map((flag) => `--${flag}`)
    const has = Object.keys(options).length === 0 ? 'no options' : known.join(', ')
    throw new Error(`${(error as Error).message.split('\n', 1)[0]} ${name} has ${has}.`)
  }
}

function readValue(flag: string, { absent, least, among }: Option, words: string): number | string {
  if (typeof absent === 'string') {
    if (among.length > 0 && !among.includes(words))
      throw new Error(`--${flag} needs one of ${among.join(', ')}, not "${words}".`)
    return words
  }
  const value = words.trim() === '' ? Number.NaN : Number(words)
  if (!Number.isSafeInteger(value)) throw new Error(`--${flag} needs a whole number, not "${words}".`)
  if (value < least) throw new Error(`--${flag} needs at least ${least}, not ${value}.`)
  return value
}

/** Returns the command that does the same again. */
export const repeatOf = (kind: Kind, { trial, values }: Chosen) => `${commandOf(kind)} ${trial.name} ${written(values)}`

const written = (values: Readonly<Record<string, number | string>>) =>
  Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([option, value]) => `--${flagOf(option)} ${/\s/.test(String(value)) ? JSON.stringify(value) : value}`)
    .join(' ')
