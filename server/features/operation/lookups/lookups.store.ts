import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { Scope } from '#server/http/call/caller.ts'

interface Named {
  readonly id: number
  readonly name: string
}

export interface LookupStore {
  readonly customers: (scope: Scope) => Promise<(Named & { readonly isActive: boolean })[]>
  readonly countries: () => Promise<Named[]>
}

export function createLookupStore(db: Db): LookupStore {
  return {
    customers: (scope) => {
      const all = db
        .selectFrom('customer')
        .select(['id', 'name', 'is_active as isActive'])
        .orderBy(sql`lower(name)`)
        .orderBy('id')
      return (scope.kind === 'everything' ? all : all.where('id', '=', scope.customerId)).execute()
    },
    countries: () => db.selectFrom('country').select(['id', 'name']).orderBy(sql`lower(name)`).orderBy('id').execute(),
  }
}
