import type { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { fits, type Shape, type Shapes } from '#domain/validation/shapes.ts'

/* The build replaces the contract by plain data (tools/plainContract), so that the browser needs no schema library.
   The types stay those of the schemas; only the two functions here know of the plain data. */

export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  return fits(schema as unknown as Shape, value) ? (value as z.output<Schema>) : undefined
}

/** It returns what the contract requires of each single field of a call that changes something. */
export function fieldsOf(call: Call): Shapes {
  return (call as unknown as { readonly fields?: Shapes }).fields ?? {}
}
