import type { z } from 'zod'
import { definitionOf } from './definitionOf.ts'

/** A refusal lists at most this many issues: nobody reads more of them at once. */
export const MOST_ISSUES = 5

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/**
 * Parses like `safeParse`, but does not look into a list that is too long, and stops judging a long list once some of
 * its elements are wrong: the library makes an issue with a sentence for each, which for 10,000 of them stops the
 * process for 50 ms.
 */
export function boundedParse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): { readonly data: z.output<Schema> } | { readonly issues: readonly Issue[] } {
  const early: Issue[] = []
  const isOver = findEarly(schema, input, [], early)
  if (isOver) return { issues: early }
  const result = schema.safeParse(input)
  return result.success ? { data: result.data } : { issues: result.error.issues }
}

/** @returns whether the issues found so far are enough for a refusal */
function findEarly(schema: z.ZodType, input: unknown, path: Path, found: Issue[]): boolean {
  if (typeof input !== 'object' || input === null) return false
  const { type, innerType, in: piped, element, options, shape } = definitionOf(schema)
  if (innerType) return findEarly(innerType, input, path, found)
  if (type === 'pipe' && piped) return findEarly(piped, input, path, found)
  if (type === 'array' && element) return Array.isArray(input) && findInList(schema, element, input, path, found)
  if (type === 'union' && Array.isArray(input)) {
    const lists = (options ?? []).filter((option) => definitionOf(option).type === 'array')
    return lists.length === 1 && findEarly(lists[0] as z.ZodType, input, path, found)
  }
  return Object.entries(shape ?? {}).some(
    ([name, inner]) =>
      Object.hasOwn(input, name) && findEarly(inner, input[name as keyof typeof input], [...path, name], found),
  )
}

function findInList(list: z.ZodType, element: z.ZodType, input: unknown[], path: Path, found: Issue[]): boolean {
  const maximum = definitionOf(list).checks?.find((check) => check._zod.def.check === 'max_length')?._zod.def.maximum
  if (maximum !== undefined && input.length > maximum) {
    const message = `at most ${maximum} elements are read`
    found.push({ code: 'too_big', origin: 'array', maximum, inclusive: true, input, path: [...path], message })
    return true
  }
  const isLong = input.length > MOST_ISSUES
  return input.some((each, index) => {
    const at = [...path, index]
    if (findEarly(element, each, at, found)) return true
    if (isLong) found.push(...issuesOf(element, each, at))
    return found.length >= MOST_ISSUES
  })
}

function issuesOf(schema: z.ZodType, input: unknown, path: Path): Issue[] {
  const issues = schema.safeParse(input).error?.issues ?? []
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}
