import { IconChartAreaLine, IconHistory, IconLink, IconMail } from '@tabler/icons-react'
import { metricText, thresholdText } from '#console/alertParts/alertLabels.ts'
import { copyText } from '#console/lib/clipboard.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { CONDITION_STATES, nameOf } from '#domain/alerts/alertLabels.ts'
import type { Occurrence } from '#domain/alerts/fold/occurrences.ts'
import { measurementName, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import { analysable, analyseAlertsData } from '../analyseAlerts.ts'

interface Props {
  readonly alert: AlertDetails
  readonly shown: Occurrence | undefined
}

/** The address of the page holds everything that is shown, so it can be shared. */
export function AlertMenu({ alert, shown }: Props) {
  const navigate = useNavigate()
  const mayAnalyse = useMay('analytics')
  const mayAudit = useMay(listAudit.permission)
  const drawable = analysable([analysedOf(alert, shown)])
  const analyse =
    mayAnalyse && drawable.length > 0 ? address('/analytics', { data: analyseAlertsData(drawable) }) : undefined
  const copy = () => void copyText(window.location.href)
  const mail = () => window.location.assign(mailAddress(alert))
  usePaletteCommands([
    ...(analyse
      ? [
          {
            actionId: 'alert.analyse',
            label: 'Analyse this alert',
            icon: IconChartAreaLine,
            run: () => navigate(analyse),
          } as const,
        ]
      : []),
    { actionId: 'alert.copyLink', label: 'Copy the link to this alert', icon: IconLink, run: copy },
    { actionId: 'alert.mail', label: 'Mail this view of the alert', icon: IconMail, run: mail },
  ])
  return (
    <MoreMenu of={`alert ${alert.id}`}>
      {analyse && (
        <MenuItem icon={IconChartAreaLine} to={analyse}>
          Analyse
        </MenuItem>
      )}
      <MenuItem icon={IconLink} onClick={copy}>
        Copy link
      </MenuItem>
      <Menu.Item component="a" href={mailAddress(alert)} leftSection={<IconMail size={16} aria-hidden />}>
        Mail this view
      </Menu.Item>
      {mayAudit && (
        <MenuItem
          icon={IconHistory}
          to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS.Alert, entityId: alert.id })}
        >
          Audit log
        </MenuItem>
      )}
    </MoreMenu>
  )
}

function analysedOf(alert: AlertDetails, shown: Occurrence | undefined) {
  const numbered = numberedFieldById(alert.field_id)
  return {
    deviceId: alert.deviceId,
    deviceName: alert.device_name,
    deviceHasLeft: alert.deviceHasLeft,
    measurementId: alert.measurementId,
    measurementName: numbered ? measurementName(numbered) : null,
    eventTypeIdAnalytics: numbered?.type.id ?? null,
    created: shown?.from ?? alert.created,
  }
}

function mailAddress(alert: AlertDetails): string {
  const subject = `${alert.device_name}: ${alert.title}`
  const body = [
    alert.condition_text,
    '',
    `Device: ${alert.device_name}`,
    `Customer: ${alert.customerName}`,
    ...(toShownAddress(alert.deviceAddress) ? [`Place: ${alert.deviceAddress}`] : []),
    `Value: ${metricText(alert)} (limit ${thresholdText(alert)})`,
    `Opened: ${formatDateTime(alert.created)}`,
    `Condition: ${nameOf(CONDITION_STATES, alert.conditionStateId)}`,
    '',
    window.location.href,
  ].join('\r\n')
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}
