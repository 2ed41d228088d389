import { Fragment } from 'react'
import type { LightFigures } from '#domain/statement/lightFigures.ts'
import { clockText, FIGURE_LINES, partsOfLine } from '#domain/statement/statementText.ts'

/** The lines add up from above: to the light owed, and to the whole time. */
export function StatementLedger({ total }: { readonly total: LightFigures }) {
  const share = (minutes: number) => (total.time === 0 ? '–' : `${((100 * minutes) / total.time).toFixed(2)} %`)
  return (
    <table className="ledger statement-ledger">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col" className="statement-note">
            Counted when
          </th>
          <th scope="col">Hours : minutes</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {FIGURE_LINES.map(({ key, name, note, isSum }) => (
          <Fragment key={key}>
            <tr data-sum={isSum}>
              <th scope="row">{name}</th>
              <td className="statement-note">{note}</td>
              <td>{clockText(total[key])}</td>
              <td>{share(total[key])}</td>
            </tr>
            {partsOfLine(key, total).map(({ name: partName, minutes }) => (
              <tr key={partName} data-cause>
                <th scope="row">{partName}</th>
                <td className="statement-note" />
                <td>{clockText(minutes)}</td>
                <td>{share(minutes)}</td>
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
