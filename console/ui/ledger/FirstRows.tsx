import { useState } from 'react'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { DataTable, type DataTableProps } from '#console/ui/table/DataTable.tsx'
import './ledger.css'

/** More than these are shown when somebody asks for them. */
const FIRST = 25

/** A table whose first rows are what matters. */
export function FirstRows<Row>({ rows, ...table }: DataTableProps<Row>) {
  const [showsAll, setShowsAll] = useState(false)
  return (
    <>
      <DataTable {...table} rows={showsAll ? rows : rows.slice(0, FIRST)} />
      {!showsAll && rows.length > FIRST && (
        <PlainButton className="show-all" onClick={() => setShowsAll(true)}>
          Show all {rows.length}
        </PlainButton>
      )}
    </>
  )
}
