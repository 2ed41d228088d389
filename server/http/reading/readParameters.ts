import type { z } from 'zod'
import { definitionOf } from '#contract/definitionOf.ts'
import { givenTwice, notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

/** Only numbers as JSON writes them are read: no exponent, no plus, no hexadecimal. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

type Kind = 'number' | 'boolean' | 'array' | 'text'

const WRAPPERS = ['optional', 'default', 'nullable', 'readonly']

function unwrapped(schema: z.ZodType): { inner: z.ZodType; isOptional: boolean } {
  const { type, innerType } = definitionOf(schema)
  if (!innerType || !WRAPPERS.includes(type)) return { inner: schema, isOptional: false }
  return { inner: unwrapped(innerType).inner, isOptional: true }
}

function kindsOf(schema: z.ZodType): readonly Kind[] {
  const { type, options, values, in: input } = definitionOf(unwrapped(schema).inner)
  if (type === 'union') return (options ?? []).flatMap(kindsOf)
  if (type === 'pipe' && input) return kindsOf(input)
  if (type === 'literal') return (values ?? []).map((value) => kindOfName(typeof value))
  return [kindOfName(type)]
}

const kindOfName = (name: string): Kind => (name === 'number' || name === 'boolean' || name === 'array' ? name : 'text')

/** Converts a text to the value that its schema declares. What fits nothing stays text, and the schema refuses it. */
export function textToValue(text: string, schema: z.ZodType): unknown {
  const { inner, isOptional } = unwrapped(schema)
  if (isOptional && (text === '' || text === 'null')) return undefined
  const kinds = kindsOf(inner)
  // People copy numbers with blanks around them, which cannot mean anything else.
  const trimmed = text.trim()
  if (kinds.includes('number') && NUMBER.test(trimmed)) return Number(trimmed)
  if (kinds.includes('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true'
  const { element } = definitionOf(inner)
  if (kinds.includes('array') && element) return text.split(',').map((part) => textToValue(part, element))
  return text
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new CallError('invalid_request', notValid('address'))
  }
}

/** This is more than any call takes. */
const MOST_PARAMETERS = 100

/**
 * Reads the texts of an address by name. A name given twice is refused, because two readers could choose differently.
 */
function parametersOf(url: string): ReadonlyMap<string, string> {
  const questionMark = url.indexOf('?')
  const parameters = new Map<string, string>()
  if (questionMark < 0) return parameters
  for (const pair of url.slice(questionMark + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals))
    if (parameters.has(name)) throw new CallError('invalid_request', givenTwice(name.slice(0, 100)))
    if (parameters.size >= MOST_PARAMETERS) throw new CallError('invalid_request', notValid('address'))
    parameters.set(name, equals < 0 ? '' : decoded(pair.slice(equals + 1)))
  }
  return parameters
}

/** Reads the address by the schema's declared types. Unknown names are kept, so that the schema can refuse them. */
export function readParameters(url: string, schema: z.ZodType): Record<string, unknown> {
  const shape = definitionOf(schema).shape ?? {}
  const entries = [...parametersOf(url)].map(([name, text]): [string, unknown] => {
    const declared = Object.hasOwn(shape, name) ? shape[name] : undefined
    return [name, declared ? textToValue(text, declared) : text]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
