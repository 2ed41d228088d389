/** Keywords of JSON Schema that TypeScript can express too. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: JsonSchema | false
  readonly prefixItems?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Writes a schema as a TypeScript type; what TypeScript cannot express is `unknown`. */
export function typeText(schema: JsonSchema): string {
  const { type, anyOf = schema.oneOf, allOf } = schema
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map((one) => inUnion(typeText(one))).join(' | ')
  if (allOf) return allOf.map((one) => inUnion(typeText(one))).join(' & ')
  if (Array.isArray(type)) return type.map((one) => typeText({ ...schema, type: one })).join(' | ')
  if (type === 'array') return listText(schema)
  if (type === 'object') return objectText(schema)
  return PLAIN[type as string] ?? 'unknown'
}

const inUnion = (text: string) => (/ [|&] /.test(text) && !text.startsWith('{') ? `(${text})` : text)

function listText({ items, prefixItems }: JsonSchema): string {
  if (prefixItems) return `readonly [${prefixItems.map(typeText).join(', ')}]`
  return items ? `readonly ${inElement(typeText(items))}[]` : 'readonly unknown[]'
}

const inElement = (text: string) => (/^readonly | [|&] /.test(text) ? `(${text})` : text)

function objectText({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, inner]) => {
    const isOptional = !required.includes(name)
    return `readonly ${JSON.stringify(name)}${isOptional ? '?' : ''}: ${typeText(inner)}${isOptional ? ' | undefined' : ''}`
  })
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  if (typeof additionalProperties === 'object') return `Readonly<Record<string, ${typeText(additionalProperties)}>>`
  return additionalProperties === false ? 'Readonly<Record<string, never>>' : 'Readonly<Record<string, unknown>>'
}
