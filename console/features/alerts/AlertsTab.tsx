import { useOpenDevice } from '#console/lib/openDevice.ts'
import { AlertsMenu } from './AlertsMenu.tsx'
import { AlertsPanel } from './AlertsPanel.tsx'
import { filterOf } from './alertListAddress.ts'
import { useAlertList } from './useAlertList.ts'
import { useAlertListAddress } from './useAlertListAddress.ts'

/** The alerts of one device (P2 §2 "Device alerts panel"). */
export function AlertsTab() {
  const { id } = useOpenDevice()
  const { address, go } = useAlertListAddress(id)
  const alerts = useAlertList(address)
  return (
    <AlertsPanel
      key={id}
      address={address}
      go={go}
      alerts={alerts}
      hasDevices={false}
      menu={<AlertsMenu filter={filterOf(address)} />}
    />
  )
}
