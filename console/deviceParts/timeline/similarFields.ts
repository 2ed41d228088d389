import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { FieldId } from '#domain/ids.ts'

export interface Unusual {
  readonly fieldId: FieldId
  readonly value: number
  readonly usualFrom: number
  readonly usualTo: number
}

export interface SimilarFields<Field extends Unusual> {
  readonly key: string
  readonly members: readonly [Field, ...Field[]]
}

const NUMBERS = /\d+/g

/**
 * It groups fields of one kind that moved in the same direction: the same field of several components, and the fields
 * of one component that differ by a number (its fans). The order is that of the first of each group.
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
