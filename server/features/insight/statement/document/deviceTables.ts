import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { evidencePath } from '#domain/statement/evidence.ts'
import { moneyText } from '#domain/statement/statementTerms.ts'
import { causesInOrder, clockText, percentText } from '#domain/statement/statementText.ts'
import { openTable, type PdfColumn } from './pdfTable.ts'
import { decorate, INK, INNER, PAGE, rule, type Sheet, tagged, write } from './sheet.ts'

const ROW = 15
const TOP = 82

const ROWS = Math.floor((PAGE.bottom - TOP - 16) / ROW)

export const devicePages = ({ devices }: LightStatement): number => Math.ceil(devices.length / ROWS)

/** Writes a line for each device, on as many pages as they need. */
export function deviceTables(sheet: Sheet, statement: LightStatement, consoleUrl: string, foot: () => void): void {
  const columns = columnsOf(statement)
  const { devices } = statement
  for (let first = 0; first < devices.length; first += ROWS) {
    sheet.doc.addPage()
    const on = devices.slice(first, first + ROWS)
    const range = devices.length > ROWS ? ` ${first + 1} to ${first + on.length} of ${devices.length}` : ''
    tagged(sheet, sheet.root, 'H2', () => write(sheet, `Devices${range}`, PAGE.margin, 44, { size: 13, isBold: true }))
    decorate(sheet, () =>
      write(
        sheet,
        'Those with the most unplanned darkness first; hours and minutes. A name leads to its evidence.',
        PAGE.margin,
        62,
        {
          ...{ size: 7.5, color: INK.dim },
        },
      ),
    )
    const table = openTable(sheet, columns, TOP)
    for (const [index, device] of on.entries()) {
      const y = TOP + 17 + index * ROW
      const { figures, from, to, worstDay } = device
      const [cause] = causesInOrder(figures.unplannedBy)
      const link = device.hasLeft ? undefined : consoleUrl + evidencePath(device.guid, from, to, device.timeZone)
      const worst =
        worstDay && !device.hasLeft
          ? consoleUrl + evidencePath(device.guid, worstDay, worstDay, device.timeZone)
          : undefined
      const small = { size: 8 }
      table.row(y, [
        { text: device.name, ...small, link },
        {
          text: worstDay === null ? '' : `${Number(worstDay.slice(8))}${cause ? ` · ${cause.name}` : ''}`,
          size: 7.5,
          color: INK.dim,
          link: worst,
        },
        ...[figures.owed, figures.given].map((minutes) => ({ text: clockText(minutes), ...small })),
        { text: clockText(figures.unplanned), ...small, ...(figures.unplanned > 0 && { color: INK.unplanned }) },
        { text: clockText(figures.unknown), ...small },
        { text: percentText(device.availabilityHundredths), ...small },
        ...(statement.credit ? [{ text: moneyText(device.creditMinor, statement.credit.currency), ...small }] : []),
      ])
      rule(sheet, y + 11.5, { color: INK.faint, weight: 0.5 })
    }
    table.end()
    foot()
  }
}

function columnsOf({ credit }: LightStatement): readonly PdfColumn[] {
  const widths = [52, 52, 54, 52, 52, ...(credit ? [66] : [])]
  const titles = ['Owed', 'Given', 'Unplanned', 'Unknown', 'Availability', ...(credit ? ['Credit'] : [])]
  const all = widths.reduce((sum, width) => sum + width, 0)
  const causes = 88
  const names = INNER - all - causes
  let x = PAGE.margin + names + causes
  return [
    { title: 'Device', x: PAGE.margin, width: names - 6, align: 'left' },
    { title: 'Worst day · main cause', x: PAGE.margin + names, width: causes, align: 'left' },
    ...titles.map((title, index): PdfColumn => {
      const width = widths[index] ?? 52
      const column = { title, x, width, align: 'right' as const }
      x += width
      return column
    }),
  ]
}
