import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { commandNameOf } from '#contract/call/commandNames.ts'
import type { JsonSchema } from '../client/typeText.ts'

/** Reports a wrong command line; the message is shown as it is. */
export class UsageError extends Error {}

const kebab = (name: string) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()

/** An option of a command: a field of its query or its body. */
interface Option {
  readonly name: string
  readonly field: string
  readonly part: 'query' | 'body'
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

function optionsOf(call: Call): readonly Option[] {
  return (['query', 'body'] as const).flatMap((part) => {
    const json = z.toJSONSchema(call[part], { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
    return Object.entries(json.properties ?? {}).map(([field, schema]) => ({
      name: kebab(field),
      field,
      part,
      schema,
      isRequired: json.required?.includes(field) === true,
    }))
  })
}

/** `--dark` stands for `--filter dark`: a word of a list that is no option and stands in no other list. */
function shorthandsOf(
  options: readonly Option[],
): ReadonlyMap<string, { readonly option: Option; readonly word: string }> {
  const words = options
    .filter(({ field }) => field === 'filter' || field === 'state')
    .flatMap((option) =>
      (option.schema.enum ?? []).map((word) => ({ name: kebab(String(word)), option, word: String(word) })),
    )
  const taken = new Set(options.map(({ name }) => name))
  return new Map(words.filter(({ name }) => !taken.has(name)).map(({ name, ...rest }) => [name, rest]))
}

const typesIn = (schema: JsonSchema): readonly string[] =>
  [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(({ type, ...rest }) => [
    ...[type ?? []].flat(),
    ...('const' in rest ? [typeof rest.const] : []),
    ...(rest.enum ?? []).map((one) => typeof one),
  ])

function readValue({ name, schema }: Option, text: string | true): unknown {
  const types = typesIn(schema)
  if (text === true) {
    if (types.includes('boolean')) return true
    throw new UsageError(`--${name} needs a value.`)
  }
  if (text === 'null' && types.includes('null')) return null
  if ((types.includes('number') || types.includes('integer')) && text.trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('array') && !text.trimStart().startsWith('[')) return listOf(schema, text)
  if (types.includes('array') || types.includes('object')) return parsed(name, text)
  return text
}

function listOf({ items }: JsonSchema, text: string): readonly unknown[] {
  const isNumeric = items && typesIn(items).some((type) => type === 'number' || type === 'integer')
  return text.split(',').map((one) => (isNumeric && Number.isFinite(Number(one)) ? Number(one) : one.trim()))
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${name} is to be JSON.`)
  }
}

function pairsIn(words: readonly string[]): readonly (readonly [string, string | true])[] {
  const pairs: (readonly [string, string | true])[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('--')) throw new UsageError(`"${word}" belongs to no option.`)
    const [name = '', given] = word.slice(2).split(/=(.*)/s)
    const next = words[at + 1]
    if (given !== undefined) pairs.push([name, given])
    else if (next === undefined || next.startsWith('--')) pairs.push([name, true])
    else {
      pairs.push([name, next])
      at += 1
    }
  }
  return pairs
}

/** `--plays-file FILE` gives `--plays` what the file holds. */
function contentOf(name: string, file: string | true): string {
  if (file === true) throw new UsageError(`--${name} needs a value.`)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

/**
 * Returns the input of a call from the words after its name.
 *
 * @throws UsageError that names the option
 */
export function inputFrom(call: Call, words: readonly string[]) {
  const options = optionsOf(call)
  const shorthands = shorthandsOf(options)
  const input: Record<'query' | 'body', Record<string, unknown>> = { query: {}, body: {} }
  for (const [name, text] of pairsIn(words)) {
    const option = options.find((one) => one.name === name || one.field === name)
    const shorthand = text === true ? shorthands.get(name) : undefined
    const inFile = option ? undefined : options.find((one) => `${one.name}-file` === name)
    if (option) input[option.part][option.field] = readValue(option, text)
    else if (inFile) input[inFile.part][inFile.field] = readValue(inFile, contentOf(name, text))
    else if (shorthand) input[shorthand.option.part][shorthand.option.field] = shorthand.word
    else throw new UsageError(`There is no option --${name}.\n\n${usageOf(call)}`)
  }
  for (const part of ['query', 'body'] as const) {
    const judged = call[part].safeParse(input[part])
    const [issue] = judged.error?.issues ?? []
    if (!issue) continue
    const option = options.find(({ field }) => field === issue.path[0])
    throw new UsageError(`${option ? `--${option.name}` : 'What was given'}: ${issue.message}\n\n${usageOf(call)}`)
  }
  return input
}

export function usageOf(call: Call): string {
  const { noun, verb } = commandNameOf(call)
  const options = optionsOf(call)
  const lines = options.map((option) => {
    const { name, schema, isRequired } = option
    const words = schema.enum?.join(' | ') ?? ([...new Set(typesIn(schema))].join(' | ') || 'value')
    return `  --${name}  ${words}${isRequired ? '  (required)' : ''}`
  })
  const short = [...shorthandsOf(options)].map(([name]) => `--${name}`)
  return [
    `${noun} ${verb}: ${call.summary}`,
    ...lines,
    ...(short.length > 0 ? [`  ${short.join(' ')}`] : []),
    '  --json  the answer as JSON',
  ].join('\n')
}
