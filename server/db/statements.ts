import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './schema.ts'

export interface Statements {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>
}

/** Lets one function serve jobs and the gateway, with connections of their own, as well as calls. */
export const statementsOf = (executor: Pick<Kysely<Database>, 'executeQuery'>): Statements => ({
  query: <Row extends object>(text: string, values: unknown[] = []) =>
    executor.executeQuery<Row>(CompiledQuery.raw(text, values)),
})

/** @throws where an insert gave no id: a row that nobody could name must not be taken for made */
export function newId<Id>(rows: readonly { readonly id: Id }[]): Id {
  const [row] = rows
  if (row === undefined) throw new Error('The database gave no id for a new row.')
  return row.id
}
