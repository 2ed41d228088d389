import { Menu } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconChartAreaLine, IconCircleCheck, IconDeviceTv } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
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
        <Menu.Item
          {...entryOf(IconChartAreaLine)}
          component={Link}
          to={address('/analytics', { data: analyseAlertsData(about) })}
        >
          {analyseLabel(about.length, drawable.length)}
        </Menu.Item>
      )}
      {only && (
        <>
          <Menu.Item {...entryOf(IconAlertTriangle)} component={Link} to={alertDetails(only.id)}>
            Alert details
          </Menu.Item>
          {!only.deviceHasLeft && (
            <Menu.Item
              {...entryOf(IconDeviceTv)}
              component={Link}
              to={address('/devices/$guid/status', { guid: only.deviceGuid })}
            >
              Device status
            </Menu.Item>
          )}
        </>
      )}
      {mayClose && opened.length > 0 && (
        <Menu.Item {...entryOf(IconCircleCheck)} onClick={() => onClose(opened)}>
          {opened.length === 1 ? 'Close alert' : `Close ${opened.length} alerts`}
        </Menu.Item>
      )}
    </>
  )
}

/** The entries belong to the menu of a right click, which the kit's own entries do not know. */
const entryOf = (EntryIcon: Icon) => ({ leftSection: <EntryIcon size={16} aria-hidden /> })

function analyseLabel(count: number, drawableCount: number): string {
  if (count === 1) return 'Analyse'
  return drawableCount > MOST_ANALYSED ? `Analyse the first ${MOST_ANALYSED}` : `Analyse ${drawableCount}`
}
