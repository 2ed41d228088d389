import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import type { LightFigures } from '#domain/statement/lightFigures.ts'
import { percentText, shortMonthText } from '#domain/statement/statementText.ts'
import { decorate, INK, INNER, PAGE, type Sheet, tagged, write } from './sheet.ts'

/** The parts of a bar stand on each other in this order. */
const STACK = [
  { key: 'given', name: 'Given', color: INK.lit },
  { key: 'litInOffTime', name: 'Lit though to be dark', color: INK.litInOffTime },
  { key: 'planned', name: 'Planned dark', color: INK.planned },
  { key: 'maintenance', name: 'Maintenance', color: INK.maintenance },
  { key: 'away', name: 'Installation away', color: INK.away },
  { key: 'unknown', name: 'Unknown', color: INK.unknown },
  { key: 'unplanned', name: 'Unplanned dark', color: INK.unplanned },
] as const satisfies readonly { readonly key: keyof LightFigures; readonly name: string; readonly color: string }[]

/** A minute of darkness must be seen in a month of light. */
const LEAST_HEIGHT = 0.8

/** Draws how the time of each day divides, and returns where it ends. */
export function dayChart(sheet: Sheet, { days, month }: LightStatement, top: number): number {
  const height = 96
  const alt = `Light on each day of ${month}: ${days.map((day) => `${day.date.slice(8)} ${percentText(day.availabilityHundredths)}`).join(', ')}`
  const draw = () => {
    const step = INNER / Math.max(28, days.length)
    for (const [index, { figures, date }] of days.entries()) {
      const x = PAGE.margin + index * step
      let y = top + height
      for (const { key, color } of STACK) {
        const part = figures[key]
        if (part === 0) continue
        const tall = Math.max(LEAST_HEIGHT, (height * part) / Math.max(1, figures.time))
        y -= tall
        sheet.doc.rect(x + 1, Math.max(top, y), step - 2, tall).fill(color)
      }
      write(sheet, String(Number(date.slice(8))), x, top + height + 3, {
        ...{ size: 6.5, color: INK.dim, width: step, align: 'center' },
      })
    }
  }
  tagged(sheet, sheet.root, 'Figure', draw, alt)
  decorate(sheet, () => legend(sheet, days, top + height + 15))
  return top + height + 28
}

function legend(sheet: Sheet, days: LightStatement['days'], y: number): void {
  let x = PAGE.margin
  for (const { key, name, color } of STACK) {
    if (days.every(({ figures }) => figures[key] === 0)) continue
    sheet.doc.rect(x, y + 1, 7, 7).fill(color)
    write(sheet, name, x + 10, y, { size: 7, color: INK.dim })
    x += 22 + sheet.doc.widthOfString(name)
  }
}

/** Draws the availability of twelve months above a floor that leaves room for all, and returns where it ends. */
export function trendChart(sheet: Sheet, { trend, terms }: LightStatement, top: number): number {
  const height = 78
  const target = terms?.targetHundredths
  const known = [...trend.flatMap((one) => one.availabilityHundredths ?? []), ...(target === undefined ? [] : [target])]
  const floor = Math.max(0, Math.floor((Math.min(10_000, ...known) - 50) / 100) * 100)
  const yOf = (value: number) => top + height - (height * (value - floor)) / Math.max(1, 10_000 - floor)
  const alt = `Availability of twelve months: ${trend.map((one) => `${one.month} ${percentText(one.availabilityHundredths)}`).join(', ')}`
  const draw = () => {
    const step = INNER / trend.length
    for (const [index, { month, availabilityHundredths: value }] of trend.entries()) {
      const x = PAGE.margin + index * step
      const isThis = index === trend.length - 1
      if (value !== null) {
        const y = Math.min(yOf(value), top + height - 1)
        sheet.doc.rect(x + 5, y, step - 10, top + height - y).fill(isThis ? INK.litNow : INK.lit)
      }
      const isMissed = target !== undefined && value !== null && value < target
      const style = { size: 7, width: step, align: 'center' } as const
      write(sheet, shortMonthText(month), x, top + height + 3, { ...style, color: isThis ? INK.text : INK.dim })
      write(sheet, value === null ? '–' : (value / 100).toFixed(2), x, top + height + 13, {
        ...{ ...style, color: isMissed ? INK.unplanned : INK.text },
      })
    }
  }
  tagged(sheet, sheet.root, 'Figure', draw, alt)
  decorate(sheet, () => {
    const { doc } = sheet
    doc.moveTo(PAGE.margin, top + height).lineTo(PAGE.margin + INNER, top + height)
    doc.lineWidth(0.6).strokeColor(INK.rule).stroke()
    if (target === undefined) return
    doc.moveTo(PAGE.margin, yOf(target)).lineTo(PAGE.margin + INNER, yOf(target))
    doc.dash(2, { space: 2 }).lineWidth(0.6).strokeColor(INK.text).stroke().undash()
  })
  decorate(sheet, () => {
    const words = `The columns begin at ${floor / 100} %${target === undefined ? '' : `; the dashed line is the target of ${percentText(target)}`}.`
    write(sheet, words, PAGE.margin, top + height + 26, { size: 7, color: INK.dim })
  })
  return top + height + 36
}
