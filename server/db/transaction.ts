import type pg from 'pg'

export type Queryable = Pick<pg.Pool, 'query'> | pg.PoolClient

/** Does everything in `work` or nothing, on a given connection; after a failed rollback that one is of no use. */
export async function transactionOn<Result>(connection: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await connection.query('begin')
  try {
    const result = await work()
    await connection.query('commit')
    return result
  } catch (error) {
    await connection.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Does everything in `work` or nothing. A connection whose rollback fails is thrown away. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  let broken: Error | undefined
  try {
    await connection.query('begin')
    const result = await work(connection)
    await connection.query('commit')
    return result
  } catch (error) {
    await connection.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    connection.release(broken)
  }
}
