import fc from 'fast-check'
import type { NumberStep, Shape, TextStep } from '#domain/validation/shapes.ts'

const WORDS = ['', ' ', '\0', '\ud800', 'a', ' a ', '10.0.0.1', '256.1.1.1', 'a@b.cd', 'a@b', ' a@b.cd ', 'Europe/Oslo']
const MOMENTS = [
  '2026-11-22T10:00:00Z',
  '2026-11-22T10:00:00+01:00',
  '2026-02-30',
  '2026-11-22',
  '07:30',
  '24:00',
  'ON',
]
const NUMBERS = [0, -0, 1, -1, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1]

const anything = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, false, [], {}, ...WORDS, ...MOMENTS, ...NUMBERS),
  fc.string(),
  fc.integer(),
  fc.double(),
)

/** Generates what mostly fits, what nearly fits, and what anybody may send. */
export function valueNear(shape: Shape): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: mostlyFitting(shape) }, { weight: 1, arbitrary: anything })
}

function mostlyFitting(shape: Shape): fc.Arbitrary<unknown> {
  if ('text' in shape) return textNear(shape.text)
  if ('number' in shape) return numberNear(shape.number)
  if ('yesNo' in shape) return fc.boolean()
  if ('oneOf' in shape) return fc.constantFrom<unknown>(...shape.oneOf)
  if ('anyOf' in shape) return fc.oneof(...shape.anyOf.map(mostlyFitting))
  if ('list' in shape) return listNear(shape.list, shape.min ?? 0, Math.min(shape.max ?? 3, 30))
  if ('record' in shape) return recordNear(shape)
  return anything
}

function textNear(steps: readonly TextStep[]): fc.Arbitrary<unknown> {
  const patterns = steps.flatMap((step) =>
    typeof step !== 'string' && step[0] === 'pattern' ? [new RegExp(step[1])] : [],
  )
  const lengths = steps.flatMap((step) => (typeof step !== 'string' && step[0] !== 'pattern' ? [step[1]] : []))
  const byLength = fc
    .tuple(fc.constantFrom(1, ...lengths), fc.constantFrom(-1, 0, 1), fc.constantFrom('x', ' ', 'é', '\0'))
    .map(([length, more, letter]) => `a${letter.repeat(Math.max(0, length + more - 1))}`)
  return fc.oneof(
    byLength,
    fc.string(),
    fc.constantFrom(...WORDS),
    ...patterns.map((pattern) => fc.stringMatching(pattern)),
  )
}

function numberNear(steps: readonly NumberStep[]): fc.Arbitrary<unknown> {
  const bounds = steps.flatMap((step) => (typeof step === 'string' ? [] : [step[1]]))
  const atBound = fc
    .tuple(fc.constantFrom(1, ...bounds), fc.constantFrom(-1, -0.5, 0, 0.5, 1))
    .map(([bound, more]) => bound + more)
  return fc.oneof(atBound, fc.integer({ min: 1, max: 3 }), fc.constantFrom(...NUMBERS))
}

function listNear(part: Shape, min: number, max: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.array(mostlyFitting(part), { minLength: min, maxLength: Math.max(min, Math.min(3, max)) }),
    fc
      .tuple(mostlyFitting(part), fc.constantFrom(min - 1, max, max + 1))
      .map(([one, count]) => Array(Math.max(0, count)).fill(one)),
  )
}

function recordNear({ record }: Extract<Shape, { record: unknown }>): fc.Arbitrary<unknown> {
  const fields = Object.entries(record).map(([name, part]) => [name, mostlyFitting(part)] as const)
  const whole = fc.record(Object.fromEntries(fields))
  const spoilt = fc
    .tuple(whole, fc.constantFrom('other', ...Object.keys(record)), anything)
    .map(([fitting, name, value]) => ({ ...fitting, [name]: value }))
  return fc.oneof(whole, spoilt)
}
