import { ActionIcon, Button } from '@mantine/core'
import { IconChartAreaLine, IconLink, IconMail } from '@tabler/icons-react'
import { metricText, thresholdText } from '#console/alertParts/alertLabels.ts'
import { copyText } from '#console/lib/clipboard.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
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
export function AlertShareButtons({ alert, shown }: Props) {
  const navigate = useNavigate()
  const mayAnalyse = useMay('analytics')
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
    <>
      {analyse && (
        <Button
          variant="default"
          component={Link}
          to={analyse}
          leftSection={<IconChartAreaLine size={16} aria-hidden />}
        >
          Analyse
        </Button>
      )}
      <IconButton icon={IconLink} tip="Copy link" hasFrame onClick={copy} />
      <Hint label="Mail this view">
        <ActionIcon variant="default" size={30} aria-label="Mail this view" component="a" href={mailAddress(alert)}>
          <IconMail size={16} aria-hidden />
        </ActionIcon>
      </Hint>
    </>
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
  const subject = `${alert.device_name}: ${alert.condition_text}`
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
