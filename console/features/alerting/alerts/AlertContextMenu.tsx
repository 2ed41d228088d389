import { Menu } from '@mantine/core'
import { IconAlertTriangle, IconChartAreaLine, IconCircleCheck, IconDeviceTv } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { type Alert, closeAlerts } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { analysable, analyseAlertsData, MOST_ANALYSED } from './analyseAlerts.ts'
import type { AlertSelection } from './useAlertSelection.ts'

interface Props {
  readonly alerts: readonly Alert[]
  readonly selection: AlertSelection
  readonly onClose: (alerts: readonly Alert[]) => void
  readonly children: ReactNode
}

/** The menu belongs to a row, or to the whole selection if the row is part of it. */
export function AlertContextMenu({ alerts, selection, onClose, children }: Props) {
  const [about, setAbout] = useState<readonly Alert[]>([])
  const aim = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[data-alert-id]') : null
    const alert = alerts.find(({ id }) => String(id) === row?.getAttribute('data-alert-id'))
    // Beside the rows the browser's own menu opens.
    if (!alert) return event.stopPropagation()
    setAbout(selection.has(alert.id) ? selection.alerts : [alert])
  }
  return (
    <Menu position="bottom-start" width={230}>
      <Menu.ContextMenu>
        <div>
          <div onContextMenuCapture={aim}>{children}</div>
        </div>
      </Menu.ContextMenu>
      <Menu.Dropdown
        className="alert-menu"
        aria-label={about.length === 1 ? `Alert ${about[0]?.id}` : `${about.length} selected alerts`}
      >
        <Entries about={about} onClose={onClose} />
      </Menu.Dropdown>
    </Menu>
  )
}

function Entries({ about, onClose }: { readonly about: readonly Alert[]; readonly onClose: Props['onClose'] }) {
  const mayAnalyse = useMay('analytics')
  const mayClose = useMay(closeAlerts.permission)
  const opened = about.filter(({ statusId }) => statusId === ALERT_STATUS.opened)
  const drawable = analysable(about)
  const [only] = about.length === 1 ? about : []
  return (
    <>
      {mayAnalyse && drawable.length > 0 && (
        <MenuItem icon={IconChartAreaLine} to={address('/analytics', { data: analyseAlertsData(about) })}>
          {analyseLabel(about.length, drawable.length)}
        </MenuItem>
      )}
      {only && (
        <>
          <MenuItem icon={IconAlertTriangle} to={alertDetails(only.id)}>
            Alert details
          </MenuItem>
          {!only.deviceHasLeft && (
            <MenuItem icon={IconDeviceTv} to={address('/devices/$guid/status', { guid: only.deviceGuid })}>
              Device status
            </MenuItem>
          )}
        </>
      )}
      {mayClose && opened.length > 0 && (
        <MenuItem icon={IconCircleCheck} onClick={() => onClose(opened)}>
          {opened.length === 1 ? 'Close alert' : `Close ${opened.length} alerts`}
        </MenuItem>
      )}
    </>
  )
}

function analyseLabel(count: number, drawableCount: number): string {
  if (count === 1) return 'Analyse'
  return drawableCount > MOST_ANALYSED ? `Analyse the first ${MOST_ANALYSED}` : `Analyse ${drawableCount}`
}
