import type { Db } from '#server/db/database.ts'
import { type Statements, statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export const createRoutingStore = (db: Db) => ({
  statements: statementsOf(db),
  transaction: <Result>(work: (statements: Statements, transaction: Tx) => Promise<Result>) =>
    db.transaction().execute((tx) => work(statementsOf(tx), tx)),
  customerNames: async (statements: Statements): Promise<ReadonlyMap<number, string>> => {
    const { rows } = await statements.query<{ id: number; name: string }>('select id, name from customer')
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
})

export type RoutingStore = ReturnType<typeof createRoutingStore>
