import pg from 'pg'

/** Gives the planner statistics of these tables, as the database does before long; only their owner may. */
export async function analyze({ ownerUrl }: { readonly ownerUrl: string }, ...tables: readonly string[]) {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`analyze ${tables.join(', ')}`)
  await owner.end()
}
