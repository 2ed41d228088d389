import { IconBell, IconBulb, IconPlug, IconTemperature, IconTool, IconWifi } from '@tabler/icons-react'
import { HealthCell } from '#console/features/devices/status/dashboard/HealthCell.tsx'
import {
  alertsFact,
  type HealthFact,
  heatFact,
  lightFact,
  networkThenFact,
  powerFact,
  visitFact,
} from '#console/features/devices/status/dashboard/health.ts'
import type { Tile } from '#console/features/devices/status/dashboard/tiles/tiles.ts'
import { useReadingAge } from '#console/features/devices/status/view/shownMoment.ts'
import { recordsPeriodAt, writeStatusAddress } from '#console/features/devices/status/view/statusAddress.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { listAlerts } from '#contract/http/alerting/alerts.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { listMaintenance } from '#contract/http/devices/maintenance.ts'
import type { DeviceStateAt } from '#contract/http/devices/status.ts'
import { CLIENT_EVENT_TYPE_ID, DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly device: Device
  readonly at: Date
  /** It is undefined while they load. */
  readonly tiles: readonly Tile[] | undefined
  readonly state: DeviceStateAt | undefined
  readonly hasFailed: boolean
}

const NOT_KEPT: HealthFact = { tone: 'off', value: UNKNOWN_TEXT, detail: 'not kept for that time' }

export function PastStrip({ device: { guid }, at, tiles, state, hasFailed }: Props) {
  const mayReadAlerts = useMay(listAlerts.permission)
  const mayReadVisits = useMay(listMaintenance.permission)
  const raw = (eventTypeId: number) =>
    address('/devices/$guid/status', {
      guid,
      ...writeStatusAddress({ view: 'raw', eventTypeId, period: recordsPeriodAt(at), at: undefined }),
    })
  const known = state ?? (hasFailed ? null : undefined)
  return (
    <nav className="health" aria-label="Health at that time">
      <HealthCell
        name="Light"
        icon={IconBulb}
        fact={known === undefined ? undefined : lightThen(known)}
        leads={raw(DISPLAY_EVENT_TYPE_ID)}
      />
      <HealthCell
        name="Heat"
        icon={IconTemperature}
        fact={tiles && heatFact(tiles, new Map())}
        leads={raw(DISPLAY_EVENT_TYPE_ID)}
      />
      <HealthCell
        name="Power"
        icon={IconPlug}
        fact={tiles && powerFact({ isOnBattery: state?.isOnBattery ?? null }, tiles)}
        leads={raw(DISPLAY_EVENT_TYPE_ID)}
      />
      <HealthCell
        name="Network"
        icon={IconWifi}
        fact={tiles && networkThenFact(state?.isOnline ?? null, tiles)}
        leads={raw(CLIENT_EVENT_TYPE_ID)}
      />
      {mayReadAlerts && (
        <HealthCell
          name="Alerts"
          icon={IconBell}
          fact={known === undefined ? undefined : pastAlerts(known)}
          leads={address('/devices/$guid/alerts', { guid })}
        />
      )}
      {mayReadVisits && (
        <HealthCell
          name="Last visit"
          icon={IconTool}
          fact={known === undefined ? undefined : visitFact(known)}
          aside={known?.lastVisit && <VisitAge startDt={known.lastVisit.startDt} />}
          leads={address('/devices/$guid/maintenance', { guid })}
        />
      )}
    </nav>
  )
}

/** The cause of past darkness is not recorded. */
const lightThen = (state: DeviceStateAt | null): HealthFact =>
  state?.light ? lightFact({ light: state.light, lightCause: null }) : NOT_KEPT

function pastAlerts(state: DeviceStateAt | null): HealthFact {
  const fact = alertsFact(state)
  return {
    ...fact,
    value: fact.value.replace(/ active$/, ' then'),
    detail: fact.detail.replace(/ open$/, ' open then'),
  }
}

function VisitAge({ startDt }: { readonly startDt: string }) {
  return useReadingAge(new Date(startDt))
}
