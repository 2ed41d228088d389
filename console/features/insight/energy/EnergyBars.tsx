import type { Energy } from '#contract/http/insight/energy.ts'
import type { EnergyFigures } from '#domain/energy/energyFigures.ts'
import { kwhText } from '#domain/energy/energyText.ts'
import { monthText, shortMonthText } from '#domain/statement/statementText.ts'

interface Props {
  readonly parts: Energy['parts']
  /** Opens a month; days open nothing. */
  readonly onPart: ((part: string) => void) | undefined
}

/** The parts of a bar stand on each other in this order, up to always full. */
const STACK = [
  { key: 'measured', name: 'Measured', of: ({ measured }: EnergyFigures) => measured },
  { key: 'estimated', name: 'Estimated', of: ({ estimated }: EnergyFigures) => estimated },
  { key: 'notDrawn', name: 'Not drawn while dark', of: ({ notDrawn }: EnergyFigures) => notDrawn },
  { key: 'saved', name: 'Saved', of: ({ savedTotal }: EnergyFigures) => savedTotal },
] as const

const nameOf = (part: string) => (part.length === 7 ? monthText(part) : part)

export function EnergyBars({ parts, onPart }: Props) {
  const most = Math.max(1, ...parts.map(({ figures }) => figures.alwaysFull))
  const shown = STACK.filter(({ of }) => parts.some(({ figures }) => of(figures) > 0))
  return (
    <>
      <ul className="energy-bars" aria-label="Energy by time" data-count={parts.length}>
        {parts.map(({ part, figures }) => {
          const label = part.length === 7 ? shortMonthText(part) : String(Number(part.slice(8)))
          const words = `${nameOf(part)}: ${kwhText(figures.used)} used, ${kwhText(figures.savedTotal)} saved`
          const bar = (
            <>
              <span className="energy-bar" aria-hidden>
                {STACK.map(({ key, of }) =>
                  of(figures) > 0 ? (
                    <i key={key} data-energy={key} style={{ height: `${(100 * of(figures)) / most}%` }} />
                  ) : null,
                )}
              </span>
              <span>{label}</span>
            </>
          )
          const isEmpty = figures.alwaysFull === 0
          return (
            <li key={part} title={isEmpty ? undefined : wordsOf(part, figures)}>
              {onPart && !isEmpty ? (
                <button type="button" aria-label={`${label}: ${words}`} onClick={() => onPart(part)}>
                  {bar}
                </button>
              ) : (
                <div>
                  {bar}
                  <span className="visually-hidden">{isEmpty ? 'nothing counted' : words}</span>
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <ul className="light-legend" aria-label="Colours">
        {shown.map(({ key, name }) => (
          <li key={key}>
            <i data-energy={key} aria-hidden />
            {name}
          </li>
        ))}
      </ul>
    </>
  )
}

const wordsOf = (part: string, figures: EnergyFigures) =>
  [
    nameOf(part),
    ...STACK.filter(({ of }) => of(figures) > 0).map(({ name, of }) => `${name}: ${kwhText(of(figures))}`),
  ].join('\n')
