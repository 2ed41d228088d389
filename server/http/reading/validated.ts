import type { z } from 'zod'
import { boundedParse, MOST_ISSUES } from '#contract/boundedParse.ts'
import { tidied } from '#domain/texts/nameRule.ts'
import {
  decimalComma,
  mustBeOneOf,
  notAnEmail,
  notValid,
  required,
  unknownField,
  unknownParameter,
} from '#domain/validation/messages.ts'
import { TEXT_RULES, type TextRuleName } from '#domain/validation/textRules.ts'
import { CallError } from '#server/http/call/callError.ts'

export type Part = 'parameter' | 'field'

const LONGEST_NAME = 100
const DECIMAL_COMMA = /^\s*-?\d+,\d+\s*$/

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key]
  return value
}

function sentencesOf(issue: z.core.$ZodIssue, input: unknown, part: Part): readonly string[] {
  const field = issue.path.map(String).join('.').slice(0, LONGEST_NAME)
  if (issue.code === 'unrecognized_keys') {
    const unknown = part === 'parameter' ? unknownParameter : unknownField
    return issue.keys
      .slice(0, MOST_ISSUES)
      .map((key) => unknown([...issue.path, key].map(String).join('.').slice(0, LONGEST_NAME)))
  }
  const value = valueAt(input, issue.path)
  const isEmpty =
    value === undefined ||
    value === null ||
    (typeof value === 'string' && tidied(value) === '' && issue.code === 'too_small')
  if (field !== '' && isEmpty) return [required(field)]
  if (issue.code === 'invalid_format' && issue.format === 'email') return [notAnEmail(field)]
  if (issue.code === 'custom')
    return [(TEXT_RULES[issue.params?.rule as TextRuleName]?.says ?? notValid)(field || 'body')]
  if (issue.code === 'invalid_value' && issue.values.every((value) => typeof value === 'number')) {
    return [mustBeOneOf(field, issue.values)]
  }
  if (issue.code === 'invalid_type' && issue.expected === 'number' && DECIMAL_COMMA.test(String(value))) {
    return [decimalComma(field)]
  }
  return [notValid(field === '' ? 'body' : field)]
}

/**
 * Parses the input by the schema.
 * @throws CallError `invalid_request`, naming every wrong field with the sentence of rules/messages 1
 */
export function validated<Schema extends z.ZodType>(schema: Schema, input: unknown, part: Part): z.output<Schema> {
  const result = boundedParse(schema, input)
  if ('data' in result) return result.data
  const sentences = result.issues.slice(0, MOST_ISSUES).flatMap((issue) => sentencesOf(issue, input, part))
  throw new CallError('invalid_request', sentences.slice(0, MOST_ISSUES).join('; '))
}
