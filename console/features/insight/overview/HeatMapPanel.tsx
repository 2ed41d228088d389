import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Later } from '#console/ui/Later.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { HEAT_BANDS } from '#domain/alerts/heatMap.ts'
import type { CustomerId } from '#domain/ids.ts'
import { HeatMap } from './HeatMap.tsx'
import { HeldNote } from './HeldNote.tsx'
import { rowsWith, type TableResult } from './useOverview.ts'

interface Props {
  readonly heatMap: TableResult
  readonly timeZone: string
  readonly customerId: CustomerId | undefined
}

export function HeatMapPanel({ heatMap, timeZone, customerId }: Props) {
  return (
    <Panel
      folds
      title="Alerts by hour and weekday, last year"
      meta={
        <>
          <HeldNote query={heatMap} />
          <ul className="heat-legend" aria-label="Colours by number of alerts">
            {HEAT_BANDS.map(({ from, name }, band) => (
              <li key={from}>
                <i data-band={band} aria-hidden />
                {name}
              </li>
            ))}
          </ul>
        </>
      }
    >
      <div className="overview-heat">
        <AsyncView
          query={heatMap}
          skeleton={<Skeleton lines={6} />}
          isEmpty={(rows) => rowsWith(rows, 'hn').every(({ count_alerts }) => count_alerts === 0)}
        >
          {(rows) => (
            <Later meanwhile={<Skeleton lines={6} />}>
              <HeatMap rows={rowsWith(rows, 'hn')} timeZone={timeZone} customerId={customerId} />
            </Later>
          )}
        </AsyncView>
      </div>
    </Panel>
  )
}
