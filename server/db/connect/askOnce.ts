import pg from 'pg'

/**
 * One statement on a connection of its own, which is gone afterwards whatever hangs.
 *
 * @param config of the connection
 */
export async function askOnce<Row extends pg.QueryResultRow>(
  config: pg.ClientConfig,
  withinMs: number,
  text: string,
  values: unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: withinMs })
  client.on('error', () => undefined)
  const cut = setTimeout(() => client.connection.stream.destroy(new Error('The database did not answer.')), withinMs)
  client.once('end', () => clearTimeout(cut))
  try {
    await client.connect()
    return (await client.query<Row>(text, values)).rows
  } finally {
    client.end().catch(() => undefined)
  }
}
