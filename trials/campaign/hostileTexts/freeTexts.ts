import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { SECRETS } from '#contract/call/values.ts'
import { CALLS } from '#contract/http/table.ts'

/** Only a field for free text takes these; an id, a code or a name from a list does not. */
const ONLY_FREE_TEXT = ['<img src=//x onerror=alert(1)>', `"');alert(2);('`, '=1+1', '{{3}}', 'two words']

const inputOf = ({ method, query, body }: Call): z.core.$ZodType => (method === 'GET' ? query : body)

/**
 * The places where a call takes any text that people may see later, read from its schema: `name`, `[].label`,
 * `rows[].name`. Passwords are left out, because nothing ever shows them.
 */
export const freeTextsOf = (call: Call): readonly string[] => [...new Set(placesIn(inputOf(call), ''))]

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

/** Returns the input of a call with this text in each empty place for free text. */
export const withFreeTexts = (call: Call, input: unknown, text: string): unknown =>
  freeTextsOf(call).reduce((filled, place) => fill(filled, place.replaceAll('[]', '.[]').split('.'), text), input)

function fill(value: unknown, [step = '', ...rest]: readonly string[], text: string): unknown {
  if (step === '') return fill(value, rest, text)
  if (step === '[]' && rest.length === 0) return Array.isArray(value) && value.length === 0 ? [text] : value
  if (step === '[]') return Array.isArray(value) ? value.map((each) => fill(each, rest, text)) : value
  if (typeof value !== 'object' || value === null) return value
  const held = value as Readonly<Record<string, unknown>>
  if (step in held) return rest.length === 0 ? value : { ...held, [step]: fill(held[step], rest, text) }
  return rest.length === 0 ? { ...held, [step]: text } : value
}
