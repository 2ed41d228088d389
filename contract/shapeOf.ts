import type { z } from 'zod'
import type { NumberStep, Shape, Shapes, TextStep } from '#domain/validation/shapes.ts'
import { TEXT_RULES, type TextRuleName } from '#domain/validation/textRules.ts'
import { type Check, type Definition, definitionOf } from './definitionOf.ts'

/** Called for each part that no shape expresses: only the server validates it. */
type OnUnsaid = (path: string, what: string) => void

/** Returns the schema as plain data. What plain data cannot express becomes `anything`, and `onUnsaid` is called. */
export function shapeOf(schema: z.ZodType, onUnsaid: OnUnsaid, path = ''): Shape {
  const definition = definitionOf(schema)
  const { type, innerType } = definition
  const inner = () => shapeOf(innerType as z.ZodType, onUnsaid, path)
  if (type === 'optional' || type === 'default') return { ...inner(), mayBeAbsent: true }
  if (type === 'nullable') return { ...inner(), mayBeNull: true }
  if (type === 'readonly') return inner()
  const unsaid = (what: string): Shape => {
    onUnsaid(path, what)
    return { anything: true }
  }
  return valueShape(definition, (part, name) => shapeOf(part, onUnsaid, name ? `${path}.${name}` : path), unsaid)
}

export function shapesOf(schema: z.ZodType, onUnsaid: OnUnsaid): Shapes {
  const shape = definitionOf(schema).shape ?? {}
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, shapeOf(field, onUnsaid, name)]))
}

type PartShape = (part: z.ZodType, name?: string) => Shape

function valueShape(definition: Definition, partShape: PartShape, unsaid: (what: string) => Shape): Shape {
  const { type, checks = [] } = definition
  if (type === 'string') return textShape(definition, unsaid)
  if (type === 'number') return numberShape(definition, unsaid)
  if (type === 'pipe') return pipeShape(definition, partShape, unsaid)
  if (type === 'array') return listShape(definition, partShape, unsaid)
  if (checks.length > 0) return unsaid('a check of the whole')
  if (type === 'boolean') return { yesNo: true }
  if (type === 'literal') return { oneOf: [...(definition.values ?? [])] }
  if (type === 'enum') return { oneOf: Object.values(definition.entries ?? {}) }
  if (type === 'null') return { oneOf: [null] }
  if (type === 'union') return { anyOf: (definition.options ?? []).map((option) => partShape(option)) }
  if (type === 'object') return recordShape(definition, partShape)
  if (type === 'record' && isAnyText(definition.keyType)) {
    return { record: {}, others: partShape(definition.valueType as z.ZodType) }
  }
  // This is no unexpressed part: the schema has no rule.
  if (type === 'unknown') return { anything: true }
  return unsaid(type)
}

function isAnyText(key: z.ZodType | undefined) {
  const { type, checks } = (key?.def ?? {}) as Partial<Definition>
  return type === 'string' && checks === undefined
}

function textShape(definition: Definition, unsaid: (what: string) => Shape): Shape {
  const own = definition.check === undefined ? [] : [definition as Check]
  const steps: TextStep[] = []
  for (const check of [...own, ...(definition.checks ?? []).map(({ _zod }) => _zod.def)]) {
    const step = textStep(check)
    if (step === undefined) return unsaid('a check of text')
    if (step !== 'nothing') steps.push(step)
  }
  return { text: steps }
}

function textStep({ check, format, pattern, minimum, maximum, params, tx }: Check): TextStep | 'nothing' | undefined {
  if (check === 'min_length') return ['min', minimum as number]
  if (check === 'max_length') return ['max', maximum as number]
  if (check === 'custom' && params?.rule !== undefined && Object.hasOwn(TEXT_RULES, params.rule)) {
    return params.rule as TextRuleName
  }
  if (check === 'overwrite') {
    const changed = tx?.(' Ab\u200b')
    // Lower-casing changes any text and refuses none.
    return changed === 'Ab' ? 'trim' : changed === ' ab\u200b' ? 'nothing' : undefined
  }
  if (check !== 'string_format' || pattern === undefined || !['', 'u'].includes(pattern.flags)) return undefined
  return format === 'email' ? ['pattern', pattern.source, 'email'] : ['pattern', pattern.source]
}

function numberShape(definition: Definition, unsaid: (what: string) => Shape): Shape {
  const own = definition.check === undefined ? [] : [definition as Check]
  const steps: NumberStep[] = []
  for (const check of [...own, ...(definition.checks ?? []).map(({ _zod }) => _zod.def)]) {
    const found = numberSteps(check)
    if (found === undefined) return unsaid('a check of a number')
    steps.push(...found)
  }
  return { number: steps }
}

function numberSteps({ check, format, value = 0, inclusive }: Check): readonly NumberStep[] | undefined {
  if (check === 'number_format' && format === 'safeint') return ['whole']
  if (check === 'number_format' && format === 'int32') return ['int32']
  if (check === 'greater_than') return [[inclusive ? 'min' : 'above', value]]
  if (check === 'less_than' && inclusive) return [['max', value]]
  return undefined
}

function pipeShape({ in: first, out: then }: Definition, partShape: PartShape, unsaid: (what: string) => Shape): Shape {
  const shapes = first && then ? [partShape(first), partShape(then)] : []
  const steps = shapes.flatMap((shape) => ('text' in shape ? [shape.text] : []))
  return steps.length === 2 ? { text: steps.flat() } : unsaid('pipe')
}

function listShape(definition: Definition, partShape: PartShape, unsaid: (what: string) => Shape): Shape {
  const bounds: { min?: number; max?: number } = {}
  for (const { _zod } of definition.checks ?? []) {
    const { check, minimum, maximum } = _zod.def
    if (check === 'min_length' && minimum !== undefined) bounds.min = minimum
    else if (check === 'max_length' && maximum !== undefined) bounds.max = maximum
    else return unsaid('a check of a list')
  }
  return { list: partShape(definition.element as z.ZodType), ...bounds }
}

function recordShape({ shape = {}, catchall }: Definition, partShape: PartShape): Shape {
  const record = Object.fromEntries(Object.entries(shape).map(([name, part]) => [name, partShape(part, name)]))
  if (catchall === undefined) return { record }
  const isRefused = definitionOf(catchall).type === 'never'
  return { record, others: isRefused ? 'refused' : partShape(catchall) }
}
