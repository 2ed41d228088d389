import pg from 'pg'

/** Tells the planner what is in these tables, as the database does by itself before long; only their owner may. */
export async function analyze({ ownerUrl }: { readonly ownerUrl: string }, ...tables: readonly string[]) {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`analyze ${tables.join(', ')}`)
  await owner.end()
}
