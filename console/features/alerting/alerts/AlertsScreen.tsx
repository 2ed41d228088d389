import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { formatNumber } from '#domain/units/numbers.ts'
import { AlertsPanel } from './AlertsPanel.tsx'
import { ALERT_CSV_COLUMNS } from './alertsCsv.ts'
import { type AlertList, useAlertList } from './useAlertList.ts'

/** The page `/alerts` lists the alerts of every device that the user may see. */
export function AlertsScreen() {
  const alerts = useAlertList()
  return (
    <Screen
      title="Alerts"
      subtitle={countsOf(alerts)}
      unread={alerts.unread}
      actions={<ListExportMenu name="alerts" columns={ALERT_CSV_COLUMNS} batches={alerts.batches} />}
    >
      <AlertsPanel alerts={alerts} hasDevices />
    </Screen>
  )
}

function countsOf({ result: { data, isPlaceholderData }, rows }: AlertList): string | undefined {
  if (!data || !('total' in data) || isPlaceholderData || data.total === null || data.deviceCount === null)
    return undefined
  // The server counts rows that came live a moment later.
  const deviceCount = Math.max(data.deviceCount, new Set(rows.map(({ deviceId }) => deviceId)).size)
  return `${counted(data.total, 'alert')} on ${counted(deviceCount, 'device')}`
}

const counted = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
