import { expect, test } from 'vitest'
import { z } from 'zod'
import { bodyLimitBytes, type Call } from '#contract/call/call.ts'
import { CALLS } from './table.ts'

interface JsonSchema {
  readonly type?: string
  readonly maxLength?: number
  readonly pattern?: string
  readonly maxItems?: number
  readonly maximum?: number
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

const BYTES_OF_A_LETTER = 3
const BYTES_OF_ANYTHING_SHORT = 30
const BASE64_URL = '^[A-Za-z0-9_-]+$'

/** The bytes of the longest JSON that the schema permits; where it sets no bound, as much as people send. */
function mostBytes({ type, maxLength, pattern, maxItems, maximum, items, anyOf, properties }: JsonSchema): number {
  if (anyOf) return Math.max(...anyOf.map(mostBytes))
  if (properties) {
    return Object.entries(properties).reduce((sum, [name, inner]) => sum + name.length + 4 + mostBytes(inner), 2)
  }
  if (items) return 2 + (maxItems ?? 10) * (1 + mostBytes(items))
  if (type === 'integer' && maximum !== undefined) return String(maximum).length
  if (type === 'string' && maxLength !== undefined) {
    // Base64 letters take one byte each.
    const isBase64 = maxLength > 1_000_000 || pattern === BASE64_URL
    return 2 + maxLength * (isBase64 ? 1 : BYTES_OF_A_LETTER)
  }
  return BYTES_OF_ANYTHING_SHORT
}

const bodyOf = (call: Call) =>
  z.toJSONSchema(call.method === 'GET' ? call.query : call.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema

const withBody = CALLS.filter(({ method, changes }) => method === 'POST' || changes)

test.each(withBody.map((call) => [call.path, call] as const))('the longest body of %s fits its limit', (_, call) => {
  expect(mostBytes(bodyOf(call))).toBeLessThanOrEqual(bodyLimitBytes(call))
})

test('what is open to everybody reads 4 kB, and 16 of what an identity provider says: its codes are long', () => {
  const open = CALLS.filter(({ permission }) => permission === 'public')
  expect(open.filter((call) => bodyLimitBytes(call) !== 4096).map((call) => [call.path, bodyLimitBytes(call)])).toEqual(
    [['App/CompleteProviderSignIn', 16 * 1024]],
  )
})
