import type { MouseEvent } from 'react'
import { Link } from '#console/router/Router.tsx'
import type { Column } from './tableColumn.ts'

interface Props<Row, Id extends string> {
  readonly column: Column<Row, Id>
  readonly row: Row
  /** These columns have no room of their own, and stand on a second line of this cell. */
  readonly folded: readonly Column<Row, Id>[]
}

export function TableCell<Row, Id extends string>({ column, row, folded }: Props<Row, Id>) {
  return (
    <td className={cellClass(column)} title={column.title?.(row)} {...(column.isTick && { onClick: tickInside })}>
      <Content column={column} row={row} />
      {folded.length > 0 && (
        <div className="table-folded">
          {folded.map((one) => (
            <span key={one.id} title={one.title?.(row)}>
              <FoldedName column={one} />
              <Content column={one} row={row} />
            </span>
          ))}
        </div>
      )}
    </td>
  )
}

/** Words tell what they are; numbers do not. */
function FoldedName<Row, Id extends string>({ column }: Pick<Props<Row, Id>, 'column'>) {
  const { header, hidesHeader, isRight } = column
  if (hidesHeader) return null
  return isRight ? <>{header} </> : <span className="visually-hidden">{header}: </span>
}

/** The table is one Tab stop, and Enter opens its row, so the link is for the mouse and for readers. */
function Content<Row, Id extends string>({ column: { cell, to }, row }: Omit<Props<Row, Id>, 'folded'>) {
  if (to === undefined) return cell(row)
  return (
    <Link to={to(row)} className="table-name" tabIndex={-1}>
      {cell(row)}
    </Link>
  )
}

/** A box is small, and a click just beside it must not open the row. */
function tickInside(event: MouseEvent<HTMLTableCellElement>) {
  event.stopPropagation()
  const box = event.currentTarget.querySelector('input')
  if (event.target instanceof Element && event.target.closest('input, label') === null) box?.click()
}

function cellClass<Row, Id extends string>({ isRight, isStrong, isDim, isTick }: Column<Row, Id>): string | undefined {
  const names = [isRight && 'is-right', isStrong && 'is-strong', isDim && 'is-dim', isTick && 'is-tick']
  return names.filter(Boolean).join(' ') || undefined
}
