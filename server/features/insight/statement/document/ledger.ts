import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { clockText, FIGURE_LINES, partsOfLine } from '#domain/statement/statementText.ts'
import { openTable, type PdfColumn } from './pdfTable.ts'
import { INK, INNER, PAGE, rule, type Sheet } from './sheet.ts'

const ROW = 15
const COLUMNS: readonly PdfColumn[] = [
  { title: 'Time', x: PAGE.margin, width: 150, align: 'left' },
  { title: 'Counted when', x: PAGE.margin + 150, width: INNER - 300, align: 'left' },
  { title: 'Hours : minutes', x: PAGE.margin + INNER - 145, width: 80, align: 'right' },
  { title: 'Share', x: PAGE.margin + INNER - 60, width: 60, align: 'right' },
]

/** Writes the figures in the order in which they add up, and returns where they end. */
export function ledger(sheet: Sheet, { total }: LightStatement, top: number): number {
  const table = openTable(sheet, COLUMNS, top)
  const share = (minutes: number) => (total.time === 0 ? '–' : `${((100 * minutes) / total.time).toFixed(2)} %`)
  let y = top + 17
  for (const { key, name, isSum = false, note } of FIGURE_LINES) {
    if (isSum) rule(sheet, y - 2.5, { color: INK.text, weight: 0.5, from: PAGE.margin + INNER - 150 })
    const style = { size: 9, isBold: isSum }
    table.row(y, [
      { text: name, ...style },
      { text: note, size: 7.5, color: INK.dim },
      { text: clockText(total[key]), ...style },
      { text: share(total[key]), ...style },
    ])
    y += isSum ? ROW + 3 : ROW
    const parts = partsOfLine(key, total)
    for (const part of parts) {
      table.row(y - 1, [
        { text: `   ${part.name}`, size: 8, color: INK.dim },
        undefined,
        { text: clockText(part.minutes), size: 8, color: INK.dim },
        { text: share(part.minutes), size: 8, color: INK.dim },
      ])
      y += ROW - 3
    }
    if (parts.length > 0) y += 3
  }
  table.end()
  rule(sheet, y - 3, { color: INK.text, weight: 0.5, from: PAGE.margin + INNER - 150 })
  rule(sheet, y - 1, { color: INK.text, weight: 0.5, from: PAGE.margin + INNER - 150 })
  return y
}
