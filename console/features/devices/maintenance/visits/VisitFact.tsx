import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** One line of a list of facts (`visit-facts`). */
export const VisitFact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value || UNKNOWN_TEXT}</dd>
  </div>
)
