import { IconBell, IconBulb, IconPlug, IconTemperature, IconTool, IconWifi } from '@tabler/icons-react'
import { maintenanceLabel, useMaintenanceOf } from '#console/deviceParts/useMaintenanceOf.ts'
import { recordsPeriodAt, writeStatusAddress } from '#console/features/devices/status/view/statusAddress.ts'
import { runWhenAvailable } from '#console/lib/commands/commands.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useMay } from '#console/lib/session/session.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Age } from '#console/ui/Age.tsx'
import { listAlerts } from '#contract/http/alerting/alerts.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { listMaintenance } from '#contract/http/devices/maintenance.ts'
import { applyDisplaySettings } from '#contract/http/devices/setup.ts'
import type { DeviceHealth } from '#contract/http/devices/status.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { CONDITION_STATE } from '#domain/alerts/alertLabels.ts'
import { CLIENT_EVENT_TYPE_ID, DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { ForHowLong, HealthCell } from './HealthCell.tsx'
import { alertsFact, heatFact, lightFact, networkFact, powerFact, visitFact } from './health.ts'
import type { LimitsByField } from './tiles/limitLabels.ts'
import { analyseData } from './tiles/tileLinks.ts'
import type { Tile } from './tiles/tiles.ts'
import './health.css'

interface Props {
  readonly device: Device
  /** It is undefined while they load. */
  readonly tiles: readonly Tile[] | undefined
  /** It is undefined while it loads, and null if it cannot be read. */
  readonly health: DeviceHealth | null | undefined
  readonly limits: LimitsByField
}

/** It sums up a device for a glance of one second; each fact leads to what explains or fixes it. */
export function HealthStrip({ device, tiles, health, limits }: Props) {
  const mayAskWhy = useMay(getDarkness.permission)
  const mayReadAlerts = useMay(listAlerts.permission)
  const mayReadVisits = useMay(listMaintenance.permission)
  const { guid } = device
  const maintenance = useMaintenanceOf(device)
  const raw = useRawDataOf(guid)
  const setup = hasFixedSetup(device.modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup'
  const ups = tiles?.map(({ fieldId }) => numberedFieldById(fieldId)?.type).find((type) => type?.topic === 'ups')
  const maySet = useMay(applyDisplaySettings.permission)
  return (
    <nav className="health" aria-label="Health">
      <HealthCell
        name="Light"
        icon={IconBulb}
        fact={lightFact(device, maintenance && maintenanceLabel(maintenance))}
        aside={
          device.lightSince &&
          device.light !== null && <ForHowLong since={device.lightSince} isAtLeast={device.lightIsAtLeast} />
        }
        leads={mayAskWhy ? () => runWhenAvailable('device.whyDark') : raw(DISPLAY_EVENT_TYPE_ID)}
      />
      <HeatCell device={device} tiles={tiles} health={health} limits={limits} />
      <HealthCell
        name="Power"
        icon={IconPlug}
        fact={tiles && powerFact(device, tiles)}
        leads={
          maySet
            ? address(setup, { guid }, ups ? sectionAnchor('UPS') : undefined)
            : raw(ups?.id ?? CLIENT_EVENT_TYPE_ID)
        }
      />
      <HealthCell
        name="Network"
        icon={IconWifi}
        fact={tiles && networkFact(device, tiles)}
        leads={raw(CLIENT_EVENT_TYPE_ID)}
      />
      {mayReadAlerts && (
        <HealthCell
          name="Alerts"
          icon={IconBell}
          fact={health === undefined ? undefined : alertsFact(health)}
          leads={address('/devices/$guid/alerts', {
            guid,
            ...(health && health.alertsNow > 0 && { conditionStateId: CONDITION_STATE.active }),
          })}
        />
      )}
      {mayReadVisits && <VisitCell device={device} health={health} />}
    </nav>
  )
}

function useRawDataOf(guid: Device['guid']) {
  const minute = useOnTime((now) => Math.floor(now.getTime() / MINUTE_MS))
  const period = recordsPeriodAt(new Date(minute * MINUTE_MS))
  return (eventTypeId: number) =>
    address('/devices/$guid/status', { guid, ...writeStatusAddress({ view: 'raw', eventTypeId, period }) })
}

function HeatCell({ device, tiles, health, limits }: Props) {
  const mayAnalyse = useMay('analytics')
  const minute = useOnTime((now) => Math.floor(now.getTime() / MINUTE_MS))
  const raw = useRawDataOf(device.guid)
  // The first statement about heat would have to be corrected if it came before the limits.
  const fact = tiles && health !== undefined ? heatFact(tiles, limits) : undefined
  const displays = new Set((tiles ?? []).flatMap(({ fieldId }) => displayNumberOf(fieldId)))
  const { measurement, eventTypeId = DISPLAY_EVENT_TYPE_ID } = fact?.tile ?? {}
  return (
    <HealthCell
      name={displays.size > 1 ? 'Heat (hottest)' : 'Heat'}
      icon={IconTemperature}
      fact={fact}
      leads={
        measurement && mayAnalyse
          ? address('/analytics', { data: analyseData(device, measurement, new Date(minute * MINUTE_MS)) })
          : raw(eventTypeId)
      }
    />
  )
}

function displayNumberOf(fieldId: Tile['fieldId']): readonly number[] {
  const numbered = numberedFieldById(fieldId)
  return numbered?.type.topic === 'display' ? [numbered.number] : []
}

function VisitCell({ device: { guid }, health }: Pick<Props, 'device' | 'health'>) {
  const visit = health?.lastVisit
  return (
    <HealthCell
      name="Last visit"
      icon={IconTool}
      fact={health === undefined ? undefined : visitFact(health)}
      aside={visit && <Age at={visit.startDt} />}
      leads={address('/devices/$guid/maintenance', { guid })}
    />
  )
}
