import { expect, test } from 'vitest'
import { readArguments, repeatOf, usageOf } from './arguments.ts'
import { count, oneOf, roundsOf, words } from './options.ts'
import { describeTrial } from './trial.ts'

const fleetTrial = describeTrial({
  name: 'fleet',
  proves: 'A fleet answers.',
  options: {
    ...roundsOf(500, 'kills'),
    inFlight: count(10, 'reports on their way'),
    only: oneOf(['north', 'south'], 'one part'),
    about: words('those about this'),
  },
  brief: { rounds: 12 },
  run: async () => undefined,
})
const quietTrial = describeTrial({ name: 'quiet', proves: 'Quiet.', options: {}, run: async () => undefined })
const TRIALS = [fleetTrial, quietTrial]

const read = (...given: string[]) => readArguments('drill', TRIALS, given)
const valuesOf = (...given: string[]) => read('fleet', ...given)[0]?.values

test('what a trial proves, its options and their defaults stand in the usage', () => {
  const usage = usageOf('drill', TRIALS)
  for (const words of ['npm run drill -- fleet', 'A fleet answers.', 'npm run drill -- quiet', '--brief']) {
    expect(usage).toContain(words)
  }
  expect(usage).toMatch(/--in-flight +reports on their way \(10\)/)
  expect(usage).toMatch(/--seed +.*\(a fresh one\)/)
})

test('an option has its default, its short value, or what is asked for', () => {
  expect(valuesOf('--seed', '7')).toEqual({ seed: 7, rounds: 500, seconds: 0, inFlight: 10, only: '', about: '' })
  expect(valuesOf('--brief')).toMatchObject({ rounds: 12, inFlight: 10 })
  expect(valuesOf('--brief', '--rounds', '3', '--in-flight', '4')).toMatchObject({ rounds: 3, inFlight: 4 })
  expect(valuesOf('--only', 'north', '--about', 'two words')).toMatchObject({ only: 'north', about: 'two words' })
})

test('a seed is drawn anew for each run, and zero is one', () => {
  const seeds = Array.from({ length: 20 }, () => valuesOf()?.seed)
  expect(new Set(seeds).size).toBeGreaterThan(1)
  expect(valuesOf('--seed', '0')).toMatchObject({ seed: 0 })
})

test('an option that makes no sense is refused with its name and the reason', () => {
  expect(() => valuesOf('--rounds', 'many')).toThrow('--rounds needs a whole number, not "many".')
  expect(() => valuesOf('--rounds', '')).toThrow('--rounds needs a whole number, not "".')
  expect(() => valuesOf('--rounds', '1.5')).toThrow('--rounds needs a whole number, not "1.5".')
  expect(() => valuesOf('--in-flight', '0')).toThrow('--in-flight needs at least 1, not 0.')
  expect(() => valuesOf('--only', 'west')).toThrow('--only needs one of north, south, not "west".')
  expect(() => valuesOf('--rounds')).toThrow('--rounds')
  expect(() => valuesOf('--inflight', '3')).toThrow("'--inflight' fleet has --seed, --rounds, --seconds, --in-flight")
  expect(() => valuesOf('12')).toThrow('12')
  expect(() => read('quiet', '--brief')).toThrow('quiet has no options.')
})

test('a name that is none is refused with those there are, and "every" is all of them', () => {
  expect(() => read('fleat')).toThrow('There is no drill "fleat", only fleet, quiet, every.')
  expect(() => read()).toThrow('Which drill? fleet, quiet, every.')
  expect(read('every').map(({ trial }) => trial.name)).toEqual(['fleet', 'quiet'])
})

test('what is printed repeats the run', () => {
  const [chosen] = read('fleet', '--brief', '--seed', '9')
  if (chosen === undefined) throw new Error('Nothing was chosen.')
  const command = repeatOf('drill', chosen)
  expect(command).toBe('npm run drill -- fleet --seed 9 --rounds 12 --seconds 0 --in-flight 10')
  expect(read(...command.split(' ').slice(4))[0]?.values).toMatchObject({ ...chosen.values, only: '' })
  const [named] = read('fleet', '--seed', '9', '--about', 'two words')
  if (named === undefined) throw new Error('Nothing was chosen.')
  expect(repeatOf('drill', named)).toMatch(/ --about "two words"$/)
})
