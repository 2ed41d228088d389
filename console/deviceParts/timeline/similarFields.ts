import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'

/** A field that was unusual. */
export interface Unusual {
  readonly fieldId: FieldId
  readonly value: number
  readonly usualFrom: number
  readonly usualTo: number
}

/** The first of its kind, and those that are like it. */
export interface SimilarFields<Field extends Unusual> {
  readonly key: string
  readonly members: readonly [Field, ...Field[]]
}

/** What tells one fan, port or display from the next. */
const NUMBERS = /\d+/g

/**
 * Fields of one kind that went the same way stand together: the same field of several components, and those of one
 * component that differ by a number (its fans). In the order of the first of each.
 */
export function similarFields<Field extends Unusual>(fields: readonly Field[]): readonly SimilarFields<Field>[] {
  const kinds = Map.groupBy(fields, (field) => {
    const numbered = numberedFieldById(field.fieldId)
    const kind = numbered ? `${numbered.type.topic} ${numbered.field.name.replace(NUMBERS, '')}` : `${field.fieldId}`
    return `${kind} ${directionOf(field)}`
  })
  return [...kinds].map(([key, members]) => ({ key, members: members as [Field, ...Field[]] }))
}

function directionOf({ value, usualFrom, usualTo }: Unusual): string {
  return value > (usualFrom + usualTo) / 2 ? 'up' : 'down'
}
