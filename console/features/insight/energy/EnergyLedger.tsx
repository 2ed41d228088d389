import { type EnergyFigures, SAVED_BY } from '#domain/energy/energyFigures.ts'
import { kwhText, SAVED_NAMES } from '#domain/energy/energyText.ts'

interface Line {
  readonly name: string
  readonly wattHours: number
  readonly isSum?: boolean
}

/** The lines add up to what displays that are always at full level would have used. */
export function EnergyLedger({ figures }: { readonly figures: EnergyFigures }) {
  const { alwaysFull } = figures
  const share = (wattHours: number) => (alwaysFull === 0 ? '–' : `${((100 * wattHours) / alwaysFull).toFixed(1)} %`)
  const lines: readonly Line[] = [
    { name: 'Measured', wattHours: figures.measured },
    { name: 'Estimated', wattHours: figures.estimated },
    { name: 'Used', wattHours: figures.used, isSum: true },
    ...SAVED_BY.map((rule) => ({ name: `Saved: ${SAVED_NAMES[rule].toLowerCase()}`, wattHours: figures.saved[rule] })),
    { name: 'Not drawn while dark', wattHours: figures.notDrawn },
    { name: 'Always full', wattHours: alwaysFull, isSum: true },
  ]
  return (
    <table className="ledger" aria-label="Against always full">
      <thead>
        <tr>
          <th scope="col">Energy</th>
          <th scope="col">kWh</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, wattHours, isSum }) => (
          <tr key={name} data-sum={isSum}>
            <th scope="row">{name}</th>
            <td>{kwhText(wattHours).replace(' kWh', '')}</td>
            <td>{share(wattHours)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
