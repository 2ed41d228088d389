import type { Readable } from 'node:stream'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import type { StatementChange } from '#domain/statement/statementChanges.ts'
import { moneyText } from '#domain/statement/statementTerms.ts'
import { monthText, percentText } from '#domain/statement/statementText.ts'
import { dayChart, trendChart } from './charts.ts'
import { devicePages, deviceTables } from './deviceTables.ts'
import { changePages, lastPages } from './lastPages.ts'
import { ledger } from './ledger.ts'
import { decorate, INK, INNER, openSheet, PAGE, rule, type Sheet, tagged, write } from './sheet.ts'

/** What is known of a statement beside its figures; a draft has no number. */
export interface DocumentHead {
  readonly number?: string
  readonly issuedAt?: Date
  /** The number of the statement that this one corrects. */
  readonly corrects?: string | undefined
  readonly changes: readonly StatementChange[]
}

/**
 * Writes a statement as a document, page by page while it is read. Its structure is tagged, so that it can be read
 * aloud, and each device leads to its evidence below `consoleUrl`.
 */
export function statementPdf(statement: LightStatement, head: DocumentHead, consoleUrl: string): Readable {
  const sheet = openSheet(`Light statement, ${statement.customerName}, ${monthText(statement.month)}`)
  const pages = 1 + devicePages(statement) + 1 + changePages(head.changes)
  const foot = footer(sheet, statement, head, pages)
  firstPage(sheet, statement, head)
  foot()
  deviceTables(sheet, statement, consoleUrl, foot)
  lastPages(sheet, statement, head.changes, foot)
  sheet.root.end()
  sheet.doc.end()
  return sheet.doc as unknown as Readable
}

/** Returns what ends a page: it says which statement and which page it is. */
function footer(
  sheet: Sheet,
  { customerName, month }: LightStatement,
  { number }: DocumentHead,
  pages: number,
): () => void {
  let page = 0
  return () => {
    page++
    rule(sheet, PAGE.bottom + 10, { color: INK.faint })
    const words = `${number === undefined ? 'Draft, not issued' : `Statement ${number}`} · ${customerName} · ${monthText(month)}`
    decorate(sheet, () => {
      write(sheet, words, PAGE.margin, PAGE.bottom + 17, { size: 7, color: INK.dim, width: INNER - 60 })
      write(sheet, `Page ${page} of ${pages}`, PAGE.margin + INNER - 60, PAGE.bottom + 17, {
        ...{ size: 7, color: INK.dim, width: 60, align: 'right' },
      })
    })
  }
}

function firstPage(sheet: Sheet, statement: LightStatement, head: DocumentHead): void {
  titleOf(sheet, statement, head)
  headline(sheet, statement)
  const afterLedger = ledger(sheet, statement, 214)
  tagged(sheet, sheet.root, 'H2', () =>
    write(sheet, 'Each day', PAGE.margin, afterLedger + 16, { size: 10, isBold: true }),
  )
  const afterDays = dayChart(sheet, statement, afterLedger + 34)
  tagged(sheet, sheet.root, 'H2', () =>
    write(sheet, 'Availability of twelve months, %', PAGE.margin, afterDays + 8, { size: 10, isBold: true }),
  )
  trendChart(sheet, statement, afterDays + 36)
}

function titleOf(sheet: Sheet, { customerName, subject, month, isOver, devices }: LightStatement, head: DocumentHead) {
  const { number, issuedAt, corrects } = head
  tagged(sheet, sheet.root, 'H1', () => write(sheet, 'Light statement', PAGE.margin, 42, { size: 22, isBold: true }))
  tagged(sheet, sheet.root, 'P', () => write(sheet, monthText(month), PAGE.margin, 70, { size: 13, color: INK.dim }))
  const facts = [
    number === undefined
      ? ['Status', isOver ? 'Draft, not issued' : 'Draft, the month is running']
      : ['Number', number],
    ...(issuedAt ? [['Issued', `${issuedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`]] : []),
    ...(corrects ? [['Corrects', corrects]] : []),
  ] as const
  for (const [index, [label = '', value = '']] of facts.entries()) {
    const y = 46 + index * 14
    tagged(sheet, sheet.root, 'P', () => {
      write(sheet, label, PAGE.margin + INNER - 210, y, { size: 8.5, color: INK.dim })
      write(sheet, value, PAGE.margin + INNER - 150, y, { size: 8.5, width: 150, align: 'right' })
    })
  }
  rule(sheet, 96, { color: INK.text, weight: 1 })
  const count = `${devices.length} ${devices.length === 1 ? 'device' : 'devices'}`
  tagged(sheet, sheet.root, 'P', () => {
    write(sheet, customerName, PAGE.margin, 105, { size: 12, width: INNER * 0.55 })
    write(sheet, subject === 'All devices' ? `All devices: ${count}` : `${subject}: ${count}`, PAGE.margin, 122, {
      ...{ size: 9, color: INK.dim, width: INNER },
    })
  })
}

function headline(sheet: Sheet, statement: LightStatement): void {
  const { availabilityHundredths, terms, isTargetMet, credit, total } = statement
  const unknown = total.owed === 0 ? null : Math.ceil((10_000 * total.unknown) / total.owed)
  const figures = [
    {
      label: 'Availability',
      value: percentText(availabilityHundredths),
      note: terms?.unknownCounts === 'asDark' ? 'unknown time counts as dark' : 'of known time',
    },
    ...(terms
      ? [
          {
            label: 'Target',
            value: percentText(terms.targetHundredths),
            note: isTargetMet === null ? 'nothing is known' : isTargetMet ? 'met' : 'missed',
          },
        ]
      : []),
    { label: 'Unknown', value: percentText(unknown), note: 'of the light owed' },
    ...(credit
      ? [{ label: 'Credit', value: moneyText(credit.minor, credit.currency), note: 'sum of the devices' }]
      : []),
  ]
  const step = INNER / Math.max(3, figures.length)
  for (const [index, { label, value, note }] of figures.entries()) {
    const x = PAGE.margin + index * step
    const isMissed = label === 'Target' && isTargetMet === false
    tagged(sheet, sheet.root, 'P', () => {
      write(sheet, label, x, 146, { size: 8, color: INK.dim })
      write(sheet, value, x, 157, { size: 18, width: step - 8 })
      write(sheet, note, x, 181, { size: 7.5, color: isMissed ? INK.unplanned : INK.dim, width: step - 8 })
    })
  }
}
