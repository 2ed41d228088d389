import { Screen } from '#console/ui/Screen.tsx'
import { formatNumber } from '#domain/units/numbers.ts'
import { AlertsMenu } from './AlertsMenu.tsx'
import { AlertsPanel } from './AlertsPanel.tsx'
import { filterOf } from './alertListAddress.ts'
import { useAlertList } from './useAlertList.ts'
import { useAlertListAddress } from './useAlertListAddress.ts'

/** `/alerts`: alerts of every device that one may see. */
export function AlertsScreen() {
  const { address, unread, go } = useAlertListAddress()
  const alerts = useAlertList(address)
  return (
    <Screen
      title="Alerts"
      subtitle={countsOf(alerts)}
      unread={unread}
      actions={<AlertsMenu filter={filterOf(address)} />}
    >
      <AlertsPanel address={address} go={go} alerts={alerts} hasDevices />
    </Screen>
  )
}

/** Alerts of the filter, and the devices that they are of: what the tile of the overview counts. */
function countsOf({ list, page }: ReturnType<typeof useAlertList>): string | undefined {
  if (!page || list.isPlaceholderData || page.total === null || page.deviceCount === null) return undefined
  return `${counted(page.total, 'alert')} on ${counted(page.deviceCount, 'device')}`
}

const counted = (count: number, noun: string) => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
