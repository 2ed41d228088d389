/** A row that a statement was sure to return, as an insert does. */
export function onlyRow<Row>({ rows }: { readonly rows: readonly Row[] }): Row {
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}
