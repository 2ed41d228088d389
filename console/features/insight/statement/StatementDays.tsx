import { dayText } from '#console/lib/time/time.ts'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import type { LightFigures } from '#domain/statement/lightFigures.ts'
import { clockText, percentText } from '#domain/statement/statementText.ts'

/** The parts of a bar stand on each other in this order. */
const PARTS = [
  { key: 'given', light: 'lit', name: 'Given' },
  { key: 'litInOffTime', light: 'litInOffTime', name: 'Lit though to be dark' },
  { key: 'planned', light: 'planned', name: 'Planned dark' },
  { key: 'maintenance', light: 'maintenance', name: 'Maintenance' },
  { key: 'away', light: 'away', name: 'Installation away' },
  { key: 'unknown', light: 'unknown', name: 'Unknown' },
  { key: 'unplanned', light: 'unplanned', name: 'Unplanned dark' },
] as const satisfies readonly { readonly key: keyof LightFigures; readonly light: string; readonly name: string }[]

export function StatementDays({ days }: Pick<LightStatement, 'days'>) {
  const shown = PARTS.filter(({ key }) => days.some(({ figures }) => figures[key] > 0))
  return (
    <>
      <div
        className="statement-days"
        role="img"
        aria-label={`Availability by day: ${days.map((day) => `${day.date.slice(8)} ${percentText(day.availabilityHundredths)}`).join(', ')}`}
      >
        {days.map(({ date, figures, availabilityHundredths }) => (
          <div
            key={date}
            title={[`${dayText(date)}: ${percentText(availabilityHundredths)}`, ...wordsOf(figures)].join('\n')}
          >
            <div>
              {PARTS.map(({ key, light }) =>
                figures[key] === 0 ? null : (
                  <i key={key} data-light={light} style={{ height: `${(100 * figures[key]) / figures.time}%` }} />
                ),
              )}
            </div>
            <span>{Number(date.slice(8))}</span>
          </div>
        ))}
      </div>
      <ul className="light-legend" aria-label="Colours">
        {shown.map(({ key, light, name }) => (
          <li key={key}>
            <i data-light={light} aria-hidden />
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}

const wordsOf = (figures: LightFigures) =>
  PARTS.filter(({ key }) => figures[key] > 0).map(({ key, name }) => `${name}: ${clockText(figures[key])}`)
