import type { Column } from './tableColumn.ts'

type Looks<Row> = Pick<
  Column<Row>,
  | 'to'
  | 'opensRow'
  | 'hasNoPage'
  | 'widthPx'
  | 'leaves'
  | 'foldsFor'
  | 'isSortable'
  | 'isRight'
  | 'isStrong'
  | 'isDim'
  | 'staysWhenStacked'
>

/** A text that the cell has no room for is whole in its tooltip. */
export function textColumn<Row, Id extends string>(
  id: Id,
  header: string,
  text: (row: Row) => string,
  looks: Looks<Row> = {},
): Column<Row, Id> {
  return { id, header, cell: text, title: text, ...looks }
}
