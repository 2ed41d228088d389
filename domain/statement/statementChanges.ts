import type { LightFigures } from './lightFigures.ts'
import { moneyText } from './statementTerms.ts'
import { clockText, FIGURE_LINES, percentText } from './statementText.ts'

/** What two statements on the same subject and month are compared by. */
export interface ComparedStatement {
  readonly total: LightFigures
  readonly availabilityHundredths: number | null
  readonly credit: { readonly minor: number; readonly currency: string } | null
  readonly devices: readonly { readonly id: number; readonly name: string; readonly figures: LightFigures }[]
}

/** A figure that is another one now, in words. */
export interface StatementChange {
  /** The device it belongs to; null for the total. */
  readonly device: string | null
  readonly figure: string
  readonly before: string
  readonly after: string
}

const NONE = '–'

/** Returns what a correction has to say: each figure of the total and of devices that is not what it was. */
export function statementChanges(before: ComparedStatement, after: ComparedStatement): readonly StatementChange[] {
  const money = ({ credit }: ComparedStatement) => (credit ? moneyText(credit.minor, credit.currency) : NONE)
  const plain = [
    { figure: 'Availability', of: (one: ComparedStatement) => percentText(one.availabilityHundredths) },
    { figure: 'Credit', of: money },
  ].map(({ figure, of }) => ({ device: null, figure, before: of(before), after: of(after) }))
  const [were, are] = [before, after].map(({ devices }) => new Map(devices.map((one) => [one.id, one])))
  const ids = [...new Set([...(were?.keys() ?? []), ...(are?.keys() ?? [])])]
  return [
    ...figureChanges(null, before.total, after.total),
    ...plain.filter((one) => one.before !== one.after),
    ...ids.flatMap((id) => {
      const [was, is] = [were?.get(id), are?.get(id)]
      return figureChanges(is?.name ?? was?.name ?? '', was?.figures, is?.figures)
    }),
  ]
}

/** Names the devices of an issued statement that count no more: deleted, not Paired, or no longer chosen. */
export function missingDevices(issued: ComparedStatement, now: ComparedStatement): readonly string[] {
  const ids = new Set(now.devices.map(({ id }) => id))
  return issued.devices.filter(({ id }) => !ids.has(id)).map(({ name }) => name)
}

function figureChanges(device: string | null, before: LightFigures | undefined, after: LightFigures | undefined) {
  const text = (figures: LightFigures | undefined, key: (typeof FIGURE_LINES)[number]['key']) =>
    figures === undefined ? NONE : clockText(figures[key])
  return FIGURE_LINES.map(({ key, name }) => ({
    ...{ device, figure: name },
    ...{ before: text(before, key), after: text(after, key) },
  })).filter((one) => one.before !== one.after)
}
