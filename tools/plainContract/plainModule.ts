import { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { shapeOf, shapesOf } from '#contract/shapeOf.ts'

type Exports = Readonly<Record<string, unknown>>

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value

/** The console needs to know how to make a call, and what its fields have to be when it changes something. */
function plainCall({
  method,
  path,
  permission,
  changes,
  shows,
  answersWith,
  knowsBrowser,
  stepUp,
  beginsSession,
  takesIdempotencyKey,
  largestBodyBytes,
  query,
  body,
}: Call) {
  const unsaid = () => undefined
  const all = changes ? Object.entries({ ...shapesOf(query, unsaid), ...shapesOf(body, unsaid) }) : []
  const fields = Object.fromEntries(all.filter(([, shape]) => !('anything' in shape)))
  return {
    method,
    path,
    permission,
    changes,
    shows,
    answersWith,
    knowsBrowser,
    stepUp,
    beginsSession,
    takesIdempotencyKey,
    largestBodyBytes,
    ...(all.length > 0 && { fields }),
  }
}

/**
 * Writes a module of the contract for the browser: the same names, and plain data instead of schemas. It leaves out
 * what only the other side of the wire can use, so that the build refuses an import of it.
 */
export function plainModule(exports: Exports): string {
  const calls = new Map(Object.entries(exports).flatMap(([name, value]) => (isCall(value) ? [[value, name]] : [])))
  const lines = [...calls].map(([call, name]) => `export const ${name} = ${JSON.stringify(plainCall(call))}`)
  for (const [name, value] of Object.entries(exports)) {
    if (isCall(value) || typeof value === 'function') continue
    const text = textOf(value, calls)
    if (text !== undefined) lines.push(`export const ${name} = ${text}`)
  }
  return `${lines.join('\n')}\n`
}

/** Returns undefined for what cannot be written as text. */
function textOf(value: unknown, calls: ReadonlyMap<Call, string>): string | undefined {
  if (isCall(value)) return calls.get(value)
  if (value instanceof z.ZodType) return JSON.stringify(shapeOf(value, () => undefined))
  if (Array.isArray(value))
    return joined(
      value.map((each) => textOf(each, calls)),
      '[',
      ']',
    )
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, each]) => {
    const text = textOf(each, calls)
    return text === undefined ? undefined : `${JSON.stringify(name)}: ${text}`
  })
  return joined(parts, '{', '}')
}

function joined(parts: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`
}
