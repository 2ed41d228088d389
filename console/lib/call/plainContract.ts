import type { z } from 'zod'
import type { Call } from '#contract/call/call.ts'
import { fits, type Shape, type Shapes } from '#domain/validation/shapes.ts'

/*
 * The build gives the console the contract as plain data (tools/plainContract), so that the browser needs no schema
 * library. The types stay those of the schemas; these are the two places that know what stands there instead.
 */

/** What comes over the wire, when it is what this schema of the contract describes. */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  return fits(schema as unknown as Shape, value) ? (value as z.output<Schema>) : undefined
}

/** What the fields of a call that changes something have to be, as far as one field can say it. */
export function fieldsOf(call: Call): Shapes {
  return (call as unknown as { readonly fields?: Shapes }).fields ?? {}
}
