import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** What runs a statement by its text: a connection, or a transaction of Kysely. */
export interface Statements {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>
}

/** For what jobs and the gateway do on connections of their own, in the transaction of a call or in none. */
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
