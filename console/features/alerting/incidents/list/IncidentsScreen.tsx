import { useIsNarrow } from '#console/lib/useIsNarrow.ts'
import { useDeviceName } from '#console/pickers/useDeviceName.ts'
import { isReversed, REVERSED_PERIOD } from '#console/router/unread.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import type { IncidentId } from '#domain/ids.ts'
import { incidentMessages } from '../incidentLabels.ts'
import { IncidentPreview } from '../page/IncidentPreview.tsx'
import { incidentFilters } from './IncidentFilterFields.tsx'
import { IncidentGroups, useFold } from './IncidentGroups.tsx'
import { useIncidentKeys } from './useIncidentKeys.ts'
import { useIncidentList } from './useIncidentList.ts'
import '#console/alertParts/alertParts.css'
import '../incidents.css'

/** Below this there is no room for an incident beside the list, so a row leads to its page. */
const BESIDE_FROM_PX = 1024

/** The list stands at the left, and the incident that is chosen in it at the right. */
export function IncidentsScreen() {
  const list = useIncidentList()
  const { filter, rows, resolved } = list
  const { values, change } = useAddress('/incidents')
  const deviceName = useDeviceName(filter.deviceId)
  const isBeside = !useIsNarrow(BESIDE_FROM_PX)
  const asked = values.shown
  const resolvedRows = resolved?.rows ?? []
  const [isFolded, setFolded] = useFold(rows.length === 0 || resolvedRows.some(({ id }) => id === asked))
  const ids = [...rows, ...(isFolded ? [] : resolvedRows)].map(({ id }) => id)
  const shownId = isBeside ? (asked !== undefined && ids.includes(asked) ? asked : ids[0]) : undefined
  const onShow = isBeside ? (id: IncidentId) => change({ shown: id }, { replace: true }) : undefined
  useIncidentKeys({ ids, shownId, onShow })
  const isEmpty = rows.length === 0 && resolvedRows.length === 0
  return (
    <Screen title="Incidents" unread={isReversed(filter) ? [...list.unread, REVERSED_PERIOD] : list.unread}>
      <div className="incidents">
        <div className="incidents-list">
          <ListPanel
            // An empty group beside a full one is no empty list.
            list={isEmpty ? list : { ...list, rows: rows.length === 0 ? resolvedRows : rows }}
            noun={['incident', 'incidents']}
            empty="There are no open incidents"
            filter={incidentFilters({ filter, deviceName, onChange: list.narrow })}
          >
            {() => (
              <div className="incidents-beside">
                <div className="incidents-groups">
                  <IncidentGroups list={list} {...{ shownId, onShow, isFolded }} onFold={setFolded} />
                </div>
                {shownId !== undefined && <IncidentPreview key={shownId} id={shownId} />}
                {isBeside && shownId === undefined && <p className="alert-none">{incidentMessages.noneShown}</p>}
              </div>
            )}
          </ListPanel>
        </div>
      </div>
    </Screen>
  )
}
