import { IconChevronDown, IconChevronUp, IconSelector } from '@tabler/icons-react'
import type { Column, Sort } from './tableColumn.ts'

interface DataTableHeadProps<Row, Id extends string> {
  readonly columns: readonly Column<Row, Id>[]
  readonly sort: Sort<Id> | undefined
  readonly onSort: ((sort: Sort<Id>) => void) | undefined
}

export function DataTableHead<Row, Id extends string>({ columns, sort, onSort }: DataTableHeadProps<Row, Id>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const order = sort?.id === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined
          const canSort = column.isSortable && onSort
          return (
            <th
              key={column.id}
              scope="col"
              className={(column.isTick && 'is-tick') || (column.isRight && 'is-right') || undefined}
              aria-sort={canSort ? (order ?? 'none') : undefined}
            >
              {canSort ? (
                <button
                  type="button"
                  className="table-sort"
                  // The largest numbers are sorted first, because people look for them.
                  onClick={() =>
                    onSort({ id: column.id, descending: order ? order === 'ascending' : Boolean(column.isRight) })
                  }
                >
                  {column.header}
                  <SortIcon order={order} />
                </button>
              ) : (
                (column.headerCell ?? (
                  <span className={column.hidesHeader ? 'visually-hidden' : undefined}>{column.header}</span>
                ))
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function SortIcon({ order }: { readonly order: 'ascending' | 'descending' | undefined }) {
  if (order === 'ascending') return <IconChevronUp size={14} aria-hidden />
  if (order === 'descending') return <IconChevronDown size={14} aria-hidden />
  return <IconSelector size={14} className="table-sortable" aria-hidden />
}
