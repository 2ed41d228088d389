import { IncidentSwitch } from '#console/alertParts/IncidentSwitch.tsx'
import { isReversed, REVERSED_PERIOD } from '#console/router/unread.ts'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { IncidentFilterFields } from './IncidentFilterFields.tsx'
import { IncidentTable } from './IncidentTable.tsx'
import { foldedText } from './incidentLabels.ts'
import { useIncidentList } from './useIncidentList.ts'
import '#console/alertParts/alertParts.css'
import './incidents.css'

export function IncidentsScreen() {
  const list = useIncidentList()
  const { filter, result } = list
  const { data, isPlaceholderData } = result
  return (
    <Screen
      title="Incidents"
      subtitle={data && !isPlaceholderData ? foldedText(data.total, data.alertCount) : undefined}
      unread={isReversed(filter) ? [...list.unread, REVERSED_PERIOD] : list.unread}
      actions={<IncidentSwitch shown="incidents" customerId={filter.customerId} deviceId={filter.deviceId} />}
    >
      <ListPanel
        list={list}
        noun={['incident', 'incidents']}
        empty="There are no open incidents"
        filter={<IncidentFilterFields filter={filter} onChange={list.narrow} />}
      >
        {(rows) => <IncidentTable incidents={rows} {...list.table} />}
      </ListPanel>
    </Screen>
  )
}
