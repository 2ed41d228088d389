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
