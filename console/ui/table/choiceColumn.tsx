import { Checkbox } from '@mantine/core'
import { RowTick } from './RowTick.tsx'
import type { Column } from './tableColumn.ts'

interface Choice<Row> {
  /** The rows of the page that can be selected. */
  readonly rows: readonly Row[]
  readonly isChosen: (row: Row) => boolean
  readonly canChoose?: (row: Row) => boolean
  readonly toggle: (row: Row) => void
  readonly nameOf: (row: Row) => string
  readonly all: {
    readonly name: string
    readonly set: (isChosen: boolean) => void
  }
}

/** The head selects all rows of the page, and each row itself. */
export function choiceColumn<Row>(choice: Choice<Row>): Column<Row, 'chosen'> {
  const { rows, isChosen, canChoose = () => true, toggle, nameOf, all } = choice
  const chosenCount = rows.filter(isChosen).length
  const isAll = rows.length > 0 && chosenCount === rows.length
  return {
    id: 'chosen',
    header: 'Selected',
    headerCell: (
      <Checkbox
        size="xs"
        aria-label={all.name}
        disabled={rows.length === 0}
        checked={isAll}
        indeterminate={chosenCount > 0 && !isAll}
        onChange={() => all.set(!isAll)}
      />
    ),
    widthPx: 40,
    isTick: true,
    staysWhenStacked: true,
    cell: (row) =>
      canChoose(row) && <RowTick name={nameOf(row)} isChosen={isChosen(row)} onChange={() => toggle(row)} />,
  }
}
