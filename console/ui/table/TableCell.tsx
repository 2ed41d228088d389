import type { MouseEvent } from 'react'
import { Link } from '#console/router/Router.tsx'
import type { Column } from './tableColumn.ts'

interface Props<Row, Id extends string> {
  readonly column: Column<Row, Id>
  readonly row: Row
  /** These columns have no room of their own, and stand on a second line of this cell. */
  readonly folded: readonly Column<Row, Id>[]
  readonly onOpen: ((row: Row) => void) | undefined
}

export function TableCell<Row, Id extends string>({ column, row, folded, onOpen }: Props<Row, Id>) {
  const beneath = folded.filter(({ foldsFor }) => foldsFor?.(row) ?? true)
  return (
    <td className={cellClass(column)} title={column.title?.(row)} {...(column.isTick && { onClick: tickInside })}>
      <CellContent column={column} row={row} onOpen={onOpen} />
      {beneath.length > 0 && (
        <div className="table-folded">
          {beneath.map((one) => (
            <span key={one.id} title={one.title?.(row)}>
              <FoldedName column={one} />
              <CellContent column={one} row={row} onOpen={onOpen} />
            </span>
          ))}
        </div>
      )}
    </td>
  )
}

/** Most words tell what they are; numbers do not. */
function FoldedName<Row, Id extends string>({ column }: Pick<Props<Row, Id>, 'column'>) {
  const { header, hidesHeader, isRight, foldedName = isRight ? header : undefined } = column
  if (hidesHeader) return null
  return foldedName ? <>{foldedName} </> : <span className="visually-hidden">{header}: </span>
}

/** The table is one Tab stop, and Enter opens its row, so the link is for the mouse and for readers. */
export function CellContent<Row, Id extends string>({ column, row, onOpen }: Omit<Props<Row, Id>, 'folded'>) {
  const { cell, opensRow } = column
  const to = column.to?.(row)
  if (to === undefined) return cell(row)
  const open = (event: MouseEvent) => {
    if (!opensRow || onOpen === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(row)
  }
  return (
    <Link to={to} className="table-name" tabIndex={-1} onClick={open}>
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
