/** Returns from 0 up to below 1, a new number each time. */
export type Random = () => number

/** The part of JSON Schema that the schemas of calls use. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

const MOST_ITEMS = 4
const MUTATED = 0.12
const LEFT_OUT = 0.3
/** Most numbers are below it, so that they are existing ids. */
export const SMALLEST_IDS = 12

const STRINGS = [
  '',
  ' ',
  'a',
  'Harbour',
  "'; drop table device; --",
  '%',
  '_\\%',
  '\u0000',
  '\ud800',
  '🛟'.repeat(40),
  'ἣ',
  '../../etc/passwd',
  '__proto__',
  '<img src=x onerror=alert(1)>',
  '\r\nSet-Cookie: a=b',
  '2026-11-17T14:00:00Z',
  '-infinity',
  'NaN',
  '1e309',
  '0x10',
  '9'.repeat(30),
  'x'.repeat(5_000),
] as const

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  {},
  [[[[]]]],
  { __proto__: 1, constructor: { prototype: {} } },
  ...STRINGS,
]

export const among = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value

/** Makes a random value that the schema allows or, now and then, one that it refuses. */
export function valueFor(schema: Schema, random: Random, depth = 0): unknown {
  if (random() < MUTATED) return among(random, ODD)
  if ('const' in schema) return schema.const
  if (schema.enum) return among(random, schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return valueFor(among(random, choices), random, depth + 1)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valueFor(part, random, depth + 1)))
  switch (schema.type) {
    case 'object':
      return objectFor(schema, random, depth)
    case 'array':
      return Array.from(
        { length: Math.floor(random() * (Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS) + 1)) },
        () => valueFor(schema.items ?? {}, random, depth + 1),
      )
    case 'integer':
    case 'number':
      return numberFor(schema, random)
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'string':
      return stringFor(schema, random)
    default:
      return among(random, ODD)
  }
}

function objectFor({ properties = {}, required = [], additionalProperties }: Schema, random: Random, depth: number) {
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const isLeftOut = random() < (required.includes(name) ? LEFT_OUT / 10 : LEFT_OUT)
    if (!isLeftOut) made[name] = valueFor(property, random, depth + 1)
  }
  if (typeof additionalProperties === 'object' && depth < 5) {
    made[among(random, STRINGS).slice(0, 20)] = valueFor(additionalProperties, random, depth + 1)
  }
  if (random() < MUTATED / 4) made[among(random, ['__proto__', 'id', 'x', 'constructor'])] = among(random, ODD)
  return made
}

/** Most numbers are small, because those are existing ids. */
function numberFor({ minimum = -1, maximum = 2 ** 40, type }: Schema, random: Random): number {
  const small = Math.max(minimum, Math.min(maximum, Math.floor(random() * SMALLEST_IDS)))
  const anywhere = minimum + random() * (maximum - minimum)
  const number = random() < 0.8 ? small : among(random, [minimum, maximum, anywhere])
  return type === 'integer' ? Math.floor(number) : number
}

function stringFor({ format, maxLength = 100 }: Schema, random: Random): string {
  if (format === 'date-time' && random() < 0.9) return new Date(Date.now() - random() * 4e9 + 5e8).toISOString()
  if (format === 'date' && random() < 0.9) return new Date(Date.now() - random() * 4e9).toISOString().slice(0, 10)
  const text = among(random, STRINGS)
  return random() < 0.9 ? text.slice(0, maxLength) : text
}
