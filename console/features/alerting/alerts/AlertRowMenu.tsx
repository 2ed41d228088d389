import { IconAlertTriangle, IconChartAreaLine, IconCircleCheck, IconDeviceTv } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { MenuOver } from '#console/ui/kit/MenuOver.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { type Alert, closeAlerts } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { analysable, analyseAlertsData, MOST_ANALYSED } from './analyseAlerts.ts'

export interface Aim {
  readonly about: readonly Alert[]
  readonly xPx: number
  readonly yPx: number
}

interface Props extends Aim {
  readonly onCloseAlerts: (alerts: readonly Alert[]) => void
  readonly onClose: () => void
}

/** It opens where the pointer was. */
export function AlertRowMenu({ about, xPx, yPx, onCloseAlerts, onClose }: Props) {
  const point = useRef<HTMLSpanElement>(null)
  const looks = { position: 'bottom-start', width: 230 } as const
  const turn = (isOpen: boolean) => isOpen || onClose()
  return (
    <>
      <span ref={point} className="alert-menu-point" style={{ left: xPx, top: yPx }} />
      <MenuOver
        opened={{ id: useId(), button: point, looks, isOpen: true, turn }}
        className="alert-menu"
        aria-label={about.length === 1 ? `Alert ${about[0]?.id}` : `${about.length} selected alerts`}
      >
        <Entries about={about} onClose={onCloseAlerts} />
      </MenuOver>
    </>
  )
}

function Entries({ about, onClose }: { readonly about: readonly Alert[]; readonly onClose: Props['onCloseAlerts'] }) {
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
