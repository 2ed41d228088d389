import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { energyLines } from '#domain/energy/energyText.ts'
import type { StatementChange } from '#domain/statement/statementChanges.ts'
import { clockText } from '#domain/statement/statementText.ts'
import { openTable, type PdfColumn } from './pdfTable.ts'
import { INK, INNER, PAGE, type Sheet, tagged, write } from './sheet.ts'

const ROW = 14
const CHANGES_TOP = 70
const CHANGES_A_PAGE = Math.floor((PAGE.bottom - CHANGES_TOP - 17) / ROW)

export const changePages = (changes: readonly StatementChange[]): number => Math.ceil(changes.length / CHANGES_A_PAGE)

/** Writes by which rules it was counted and, on a correction, what differs. */
export function lastPages(
  sheet: Sheet,
  { rules, devices, energy, lightRules = [] }: LightStatement,
  changes: readonly StatementChange[],
  foot: () => void,
): void {
  sheet.doc.addPage()
  tagged(sheet, sheet.root, 'H2', () => write(sheet, 'How it is counted', PAGE.margin, 44, { size: 13, isBold: true }))
  let y = 70
  for (const [index, words] of [...rules, zonesOf(devices)].entries()) {
    const width = INNER - 18
    tagged(sheet, sheet.root, 'P', () => {
      write(sheet, `${index + 1}.`, PAGE.margin, y, { size: 9 })
      write(sheet, words, PAGE.margin + 18, y, { size: 9, width, wraps: true })
    })
    y += sheet.doc.fontSize(9).heightOfString(sheet.clean(words), { width }) + 6
  }
  if (lightRules.length > 0) y = lightRulesPart(sheet, lightRules, y + 14)
  if (energy) energyPart(sheet, energy, y + 14)
  foot()
  for (let first = 0; first < changes.length; first += CHANGES_A_PAGE) {
    sheet.doc.addPage()
    changesPage(sheet, changes.slice(first, first + CHANGES_A_PAGE))
    foot()
  }
}

/** More of them would not fit on the page of the rules, and stand in the console. */
const MOST_LIGHT_RULES = 6
const RULE_FIGURES = [
  { key: 'due', title: 'Due' },
  { key: 'kept', title: 'Kept' },
  { key: 'broken', title: 'Too bright' },
  { key: 'unknown', title: 'Unknown' },
  { key: 'maintenance', title: 'Maintenance' },
] as const
const FIGURE_WIDTH = 62
const RULE_COLUMNS: readonly PdfColumn[] = [
  { title: 'Rule', x: PAGE.margin, width: INNER - RULE_FIGURES.length * FIGURE_WIDTH - 5, align: 'left' },
  ...RULE_FIGURES.map(
    ({ title }, index): PdfColumn => ({
      ...{ title, x: PAGE.margin + INNER - (RULE_FIGURES.length - index) * FIGURE_WIDTH + 5 },
      ...{ width: FIGURE_WIDTH - 5, align: 'right' },
    }),
  ),
]

/** Writes which laws and permits asked for darkness, and what came of them. */
function lightRulesPart(sheet: Sheet, all: NonNullable<LightStatement['lightRules']>, top: number): number {
  tagged(sheet, sheet.root, 'H2', () => write(sheet, 'Light rules', PAGE.margin, top, { size: 13, isBold: true }))
  const table = openTable(sheet, RULE_COLUMNS, top + 22)
  let y = top + 39
  for (const rule of all.slice(0, MOST_LIGHT_RULES)) {
    table.row(y, [{ text: rule.name }, ...RULE_FIGURES.map(({ key }) => ({ text: clockText(rule[key]) }))])
    y += ROW
  }
  table.end()
  for (const { name, source } of all.slice(0, MOST_LIGHT_RULES)) {
    const words = `${name}: ${source}`
    tagged(sheet, sheet.root, 'P', () =>
      write(sheet, words, PAGE.margin, y, { size: 7.5, color: INK.dim, width: INNER, wraps: true }),
    )
    y += sheet.doc.fontSize(7.5).heightOfString(sheet.clean(words), { width: INNER }) + 2
  }
  if (all.length <= MOST_LIGHT_RULES) return y
  const more = `${all.length - MOST_LIGHT_RULES} more rule sets stand in the console.`
  tagged(sheet, sheet.root, 'P', () => write(sheet, more, PAGE.margin, y, { size: 7.5, color: INK.dim }))
  return y + ROW
}

function energyPart(sheet: Sheet, energy: NonNullable<LightStatement['energy']>, top: number): void {
  tagged(sheet, sheet.root, 'H2', () => write(sheet, 'Energy', PAGE.margin, top, { size: 13, isBold: true }))
  for (const [index, { name, value }] of energyLines(energy).entries()) {
    const y = top + 24 + index * ROW
    tagged(sheet, sheet.root, 'P', () => {
      write(sheet, name, PAGE.margin, y, { size: 9, width: 200 })
      write(sheet, value, PAGE.margin + 205, y, { size: 9, width: INNER - 205 })
    })
  }
}

function zonesOf(devices: LightStatement['devices']): string {
  const zones = [...new Set(devices.map(({ timeZone }) => timeZone))].sort()
  return `Time zones of the devices: ${zones.length === 0 ? 'none' : zones.join(', ')}.`
}

const CHANGE_COLUMNS: readonly PdfColumn[] = [
  { title: 'Device', x: PAGE.margin, width: 190, align: 'left' },
  { title: 'Figure', x: PAGE.margin + 195, width: 130, align: 'left' },
  { title: 'Before', x: PAGE.margin + INNER - 180, width: 85, align: 'right' },
  { title: 'Now', x: PAGE.margin + INNER - 85, width: 85, align: 'right' },
]

function changesPage(sheet: Sheet, changes: readonly StatementChange[]): void {
  tagged(sheet, sheet.root, 'H2', () =>
    write(sheet, 'What this correction changes', PAGE.margin, 44, { size: 13, isBold: true }),
  )
  const table = openTable(sheet, CHANGE_COLUMNS, CHANGES_TOP)
  for (const [index, { device, figure, before, after }] of changes.entries()) {
    const isTotal = device === null
    table.row(
      CHANGES_TOP + 17 + index * ROW,
      [device ?? 'Total', figure, before, after].map((text) => ({ text, size: 8.5, isBold: isTotal })),
    )
  }
  table.end()
}
