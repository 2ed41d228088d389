import { type Element, INK, rule, type Sheet, type TextStyle, tagged, write } from './sheet.ts'

export interface PdfColumn {
  readonly title: string
  readonly x: number
  readonly width: number
  readonly align: 'left' | 'right'
}

export interface PdfCell extends TextStyle {
  readonly text: string
}

/** Opens a table with its head, and returns how rows are added. */
export function openTable(sheet: Sheet, columns: readonly PdfColumn[], y: number) {
  const table = sheet.doc.struct('Table')
  sheet.root.add(table)
  addRow(
    sheet,
    table,
    columns,
    y,
    'TH',
    columns.map(({ title }) => ({ text: title, size: 7.5, color: INK.dim })),
  )
  rule(sheet, y + 12, { color: INK.text, weight: 0.7 })
  return {
    row: (at: number, cells: readonly (PdfCell | undefined)[]) => addRow(sheet, table, columns, at, 'TD', cells),
    end: () => table.end(),
  }
}

function addRow(
  sheet: Sheet,
  table: Element,
  columns: readonly PdfColumn[],
  y: number,
  tag: 'TH' | 'TD',
  cells: readonly (PdfCell | undefined)[],
): void {
  const row = sheet.doc.struct('TR')
  table.add(row)
  for (const [index, { x, width, align }] of columns.entries()) {
    const cell = cells[index]
    tagged(sheet, row, tag, () => {
      // Letters of all sizes stand on one line.
      if (cell && cell.text !== '') write(sheet, cell.text, x, y + (9 - (cell.size ?? 9)), { align, width, ...cell })
    })
  }
  row.end()
}
