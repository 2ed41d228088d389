import { z } from 'zod'
import type { Call } from './call/call.ts'
import { SECRETS } from './call/values.ts'
import { CALLS } from './http/table.ts'

/** What only a field for free text takes, and neither an id, a code nor a name out of a list. */
const ONLY_FREE_TEXT = ['<img src=//x onerror=alert(1)>', `"');alert(2);('`, '=1+1', '{{3}}', 'two words']

const inputOf = ({ method, query, body }: Call): z.core.$ZodType => (method === 'GET' ? query : body)

/**
 * Where a call takes any text that people may see later: `name`, `[].label`, `rows[].name`. As its schemas say it;
 * passwords are left out, because nothing ever shows them.
 */
export const freeTextsOf = (call: Call): readonly string[] => [...new Set(placesIn(inputOf(call), ''))]

/** Calls by which people leave texts for others to see. */
export const FREE_TEXT_CALLS: readonly Call[] = CALLS.filter((call) => call.changes && freeTextsOf(call).length > 0)

function placesIn(schema: z.core.$ZodType, place: string): readonly string[] {
  if (SECRETS.has(schema)) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return placesIn(def.innerType, place)
    case 'pipe':
      return placesIn(def.in, place)
    case 'union':
      return def.options.flatMap((option) => placesIn(option, place))
    case 'array':
      return placesIn(def.element, `${place}[]`)
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => placesIn(inner, place ? `${place}.${name}` : name))
    case 'string':
      return ONLY_FREE_TEXT.every((text) => z.safeParse(schema, text).success) ? [place] : []
    default:
      return []
  }
}

/** What a call is sent, with this text in each place for free text in which nothing stands yet. */
export const withFreeTexts = (call: Call, input: unknown, text: string): unknown =>
  freeTextsOf(call).reduce((filled, place) => fill(filled, place.replaceAll('[]', '.[]').split('.'), text), input)

function fill(value: unknown, [step = '', ...rest]: readonly string[], text: string): unknown {
  if (step === '') return fill(value, rest, text)
  // A list of nothing but texts.
  if (step === '[]' && rest.length === 0) return Array.isArray(value) && value.length === 0 ? [text] : value
  if (step === '[]') return Array.isArray(value) ? value.map((each) => fill(each, rest, text)) : value
  if (typeof value !== 'object' || value === null) return value
  const held = value as Readonly<Record<string, unknown>>
  if (step in held) return rest.length === 0 ? value : { ...held, [step]: fill(held[step], rest, text) }
  return rest.length === 0 ? { ...held, [step]: text } : value
}
