import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { LIVE_EVENTS } from '#contract/http/live.ts'
import { CALLS } from '#contract/http/table.ts'
import { COMMANDS } from '#contract/mqtt/command.ts'
import { shapeOf, shapesOf } from '#contract/shapeOf.ts'
import { faultOf, fits, type Shape } from '#domain/validation/shapes.ts'
import { valueNear } from '#server/testing/devices/valuesNear.ts'
import { CallError } from './call/callError.ts'
import { validated } from './reading/validated.ts'

interface Judged {
  readonly name: string
  readonly field: string
  readonly schema: z.ZodType
  readonly shape: Shape
}

const unsaid: string[] = []

/** Covers every field of every call that changes something, and what the console reads with it. */
const FIELDS: readonly Judged[] = CALLS.filter(({ changes }) => changes !== undefined).flatMap(
  ({ path, query, body }) =>
    [query, body].flatMap((schema) =>
      Object.entries(shapesOf(schema, (field, what) => unsaid.push(`${path} ${field}: ${what}`))).map(
        ([field, shape]) => ({
          name: `${path} ${field}`,
          field,
          shape,
          schema: (schema as z.ZodObject).shape[field] as z.ZodType,
        }),
      ),
    ),
)
const READ: readonly Judged[] = [...Object.entries(LIVE_EVENTS), ...Object.entries(COMMANDS)].map(
  ([field, schema]) => ({
    name: field,
    field,
    schema,
    shape: shapeOf(schema, (path, what) => unsaid.push(`${field} ${path}: ${what}`)),
  }),
)

const VALUES = 10_000
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

test('what the console leaves to the server to judge is only this', () => {
  expect(unsaid.toSorted()).toEqual(
    [
      // People choose it from the zones that the browser knows.
      'App/SetTimeZone timeZone: a check of text',
      // The driver names the options, and its own description judges them.
      'Device/SetDeviceDriver options: record',
      // People choose from the device's components.
      'Device/SetFeedChain feeds: a check of the whole',
      // People choose these from the browser's zones too.
      'MaintenanceWindow/CreateMaintenanceWindow schedule.timeZone: a check of text',
      'MaintenanceWindow/CreateMaintenanceWindow schedule.timeZone: a check of text',
      'MaintenanceWindow/ChangeMaintenanceWindow schedule.timeZone: a check of text',
      'MaintenanceWindow/ChangeMaintenanceWindow schedule.timeZone: a check of text',
      'Channel/SetChannel quiet.timeZone: a check of text',
      'NotifyRoute/SetNotifyRoute hours.timeZone: a check of text',
      'Rota/SetRota timeZone: a check of text',
      // The file is sent as its bytes.
      'Release/UploadRelease contentBase64: a check of text',
    ].toSorted(),
  )
})

test(`the console refuses a field exactly when the server does, in the same words (seed ${seed})`, () => {
  const said = FIELDS.filter(({ shape }) => !('anything' in shape))
  const perField = Math.ceil(VALUES / said.length)
  for (const judged of said) {
    // The server names the part of a list or record; forms have no field for a part.
    const heard = (sentence?: string) => (isOfParts(judged.shape) ? String(sentence !== undefined) : sentence)
    fc.assert(
      fc.property(valueNear(judged.shape), (value) => {
        const [here, there] = [faultOf(judged.shape, value, judged.field), serverSentence(judged, value)].map(heard)
        // A part whose check is left to the server may be refused by the server alone.
        const isLeft = here === 'false' && unsaid.some((one) => one.startsWith(`${judged.name}.`))
        if (here !== there && !isLeft)
          throw new Error(`${judged.name} ${JSON.stringify(value)}: ${here}, the server: ${there}`)
      }),
      { numRuns: perField, seed },
    )
  }
})

const isOfParts = (shape: Shape) => 'list' in shape || 'record' in shape || 'anyOf' in shape

test(`the console reads what the contract describes, and nothing else (seed ${seed})`, () => {
  for (const { schema, shape, name } of READ) {
    fc.assert(
      fc.property(valueNear(shape), (value) => {
        if (fits(shape, value) !== schema.safeParse(value).success) throw new Error(`${name} ${JSON.stringify(value)}`)
      }),
      { numRuns: 200, seed },
    )
  }
})

function serverSentence({ field, schema }: Judged, value: unknown): string | undefined {
  try {
    validated(z.strictObject({ [field]: schema }), { [field]: value }, 'field')
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown
    return thrown.message.split('; ')[0]
  }
}
