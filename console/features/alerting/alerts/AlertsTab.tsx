import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { AlertsPanel } from './AlertsPanel.tsx'
import { ALERT_CSV_COLUMNS } from './alertsCsv.ts'
import { useAlertList } from './useAlertList.ts'

/** The list of alerts is narrowed to one device (rules/lists 3). */
export function AlertsTab() {
  const { id } = useOpenDevice()
  const alerts = useAlertList(id)
  const menu = <ListExportMenu name="alerts" columns={ALERT_CSV_COLUMNS} batches={alerts.batches} />
  return <AlertsPanel key={id} alerts={alerts} hasDevices={false} menu={menu} />
}
