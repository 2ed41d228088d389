import { Button } from '@mantine/core'
import { IconAlertTriangle, IconBattery1, IconBulbOff, IconPlugConnectedX, IconTemperature } from '@tabler/icons-react'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatDateTime, useAge, useOnTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import { acknowledgeIncident, type Incident, listIncidents } from '#contract/http/alerting/incidents.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { applyDisplaySettings } from '#contract/http/devices/setup.ts'
import type { DeviceHealth } from '#contract/http/devices/status.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { Tone } from './health.ts'
import type { LimitsByField } from './tiles/limitLabels.ts'
import { analyseData } from './tiles/tileLinks.ts'
import type { Tile } from './tiles/tiles.ts'
import { type Trouble, troubleOf } from './trouble.ts'
import './banner.css'

interface Props {
  readonly device: Device
  readonly tiles: readonly Tile[]
  readonly limits: LimitsByField
  readonly health: DeviceHealth | undefined
}

const ICONS = {
  dark: IconBulbOff,
  silent: IconPlugConnectedX,
  heat: IconTemperature,
  battery: IconBattery1,
  alert: IconAlertTriangle,
} as const

/** It says the worst of what is wrong in one sentence, why, and what to do; it is absent while all is well. */
export function StatusBanner({ device, tiles, limits, health }: Props) {
  const trouble = troubleOf(device, tiles, limits)
  return trouble && <Banner trouble={trouble} device={device} health={health} />
}

interface BannerProps extends Pick<Props, 'device' | 'health'> {
  readonly trouble: Trouble
}

function Banner({ trouble, device, health }: BannerProps) {
  const incident = useActiveIncident(device)
  const step = useRecommendedStep(device, trouble)
  const lasting = useLasting(beganOf(trouble, device, incident))
  const isAtLeast = trouble.kind === 'dark' && device.lightIsAtLeast
  const visit = useAge(health?.lastVisit?.startDt)
  const lastReport = useLastReport(trouble.kind === 'silent' ? device.lastEvent : null)
  const title = trouble.title ?? incident?.title ?? device.worstAlert?.title ?? 'An alert is active'
  const reasons = [
    ...(lastReport ? [`Last report ${lastReport}`] : []),
    ...trouble.reasons,
    ...(lasting ? [`For ${isAtLeast ? 'at least ' : ''}${lasting}`] : []),
    ...(incident && incident.ownerName !== '' ? [`Owned by ${incident.ownerName}`] : []),
    ...(visit ? [`Last visit ${visit}`] : []),
  ]
  const Icon = ICONS[trouble.kind]
  return (
    <section className="status-banner" data-tone={toneOf(trouble, device, incident)} aria-label="Problem">
      <Icon size={18} aria-hidden />
      <div>
        <p role="status">{title}</p>
        {reasons.length > 0 && <p className="status-banner-why">{reasons.join('. ')}.</p>}
      </div>
      <div className="status-banner-steps">
        {step ?? <TakeOwnership incident={incident} />}
        <Closer trouble={trouble} device={device} incident={incident} />
      </div>
    </section>
  )
}

function beganOf({ kind }: Trouble, device: Device, incident: Incident | undefined) {
  if (kind === 'dark') return device.lightSince
  return kind === 'silent' ? null : incident?.began
}

function useLastReport(lastEvent: string | null): string | undefined {
  const age = useAge(lastEvent)
  return lastEvent === null ? undefined : `${age} (${formatDateTime(lastEvent)})`
}

/** What an alert says has the colour of its severity; light and silence are told by the server. */
function toneOf({ kind, tone }: Trouble, { wrong, worstAlert }: Device, incident: Incident | undefined): Tone {
  if (tone) return tone
  if (kind === 'dark') return 'crit'
  if (kind === 'silent') return wrong === 'silent' ? 'crit' : 'off'
  if (kind === 'battery' && !incident) return 'warn'
  const severityId = incident?.severityId ?? worstAlert?.severityId
  return severityId === undefined ? 'off' : severityTone(severityId)
}

function useActiveIncident({ id, activeAlerts }: Device): Incident | undefined {
  const mayRead = useMay(listIncidents.permission) && activeAlerts > 0
  const { data } = useCall(
    listIncidents,
    { deviceId: id, state: 'active', pageSize: 1 },
    { enabled: mayRead, refreshEveryMs: REFRESH_EVERY_MS.besideLive },
  )
  return mayRead ? data?.rows[0] : undefined
}

/** The diagnosis of a dark display recommends one step, if any can be done from here. */
function useRecommendedStep({ id, guid, modelId }: Device, { kind }: Trouble) {
  const isDark = useMay(getDarkness.permission) && kind === 'dark'
  const maySet = useMay(applyDisplaySettings.permission)
  const { data } = useCall(getDarkness, { deviceId: id }, { enabled: isDark })
  const action = data?.walks.map(({ verdict }) => verdict).find((verdict) => verdict.kind === 'broken')?.action
  if (!isDark || !maySet || !action || action.section === null) return undefined
  const setup = hasFixedSetup(modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup'
  return (
    <Button component={Link} to={address(setup, { guid }, sectionAnchor(action.control ?? action.section))}>
      {action.words}
    </Button>
  )
}

function TakeOwnership({ incident }: { readonly incident: Incident | undefined }) {
  const mayTake = useMay(acknowledgeIncident.permission)
  const take = useChange(acknowledgeIncident)
  if (!incident || !mayTake || !incident.isWhole || incident.ownerId !== null) return null
  return (
    <Button loading={take.isPending} onClick={() => take.mutate({ body: { id: incident.id } })}>
      Take ownership
    </Button>
  )
}

function Closer({
  trouble,
  device,
  incident,
}: Omit<BannerProps, 'health'> & { readonly incident: Incident | undefined }) {
  const mayAnalyse = useMay('analytics')
  const mayAskWhy = useMay(getDarkness.permission)
  const minute = useOnTime((now) => Math.floor(now.getTime() / MINUTE_MS))
  if (trouble.kind === 'dark') {
    return mayAskWhy ? (
      <Button variant="default" aria-haspopup="dialog" onClick={() => runWhenAvailable('device.whyDark')}>
        Why is it dark?
      </Button>
    ) : null
  }
  if (trouble.measurement && mayAnalyse) {
    const data = analyseData(device, trouble.measurement, new Date(minute * MINUTE_MS))
    return (
      <Button variant="default" component={Link} to={address('/analytics', { data })}>
        Open chart
      </Button>
    )
  }
  if (!incident) return null
  return (
    <Button variant="default" component={Link} to={incidentPage(incident.id)}>
      Open incident
    </Button>
  )
}

function useLasting(since: string | null | undefined): string | undefined {
  return useOnTime((now) =>
    since ? formatDuration(Math.max(0, now.getTime() - Date.parse(since)) / SECOND_MS) : undefined,
  )
}
