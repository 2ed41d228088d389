import { useMemo } from 'react'
import { StatusComponents } from '#console/features/devices/status/dashboard/StatusComponents.tsx'
import { TileSkeleton } from '#console/features/devices/status/dashboard/tiles/TileSkeleton.tsx'
import { groupTiles, type LiveReadings } from '#console/features/devices/status/dashboard/tiles/tiles.ts'
import { type ShownMoment, ShownMomentContext } from '#console/features/devices/status/view/shownMoment.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatTime } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { getDeviceStateAt } from '#contract/http/devices/status.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { AsOfBar } from './AsOfBar.tsx'
import { PastSettings } from './PastSettings.tsx'
import { PastStrip } from './PastStrip.tsx'

interface Props {
  readonly device: Device
  readonly at: Date
  /** Undefined means back to now. */
  readonly go: (at: Date | undefined) => void
}

const NOTHING_LIVE: LiveReadings = new Map()
const NO_LIMITS = new Map()

/** The newest values of the moment are each at most a day older. Limits are those of now, so none are shown. */
export function PastDashboard({ device, at, go }: Props) {
  const state = useCall(getDeviceStateAt, { deviceId: device.id, at: at.toISOString() })
  const groups = useMemo(() => groupTiles(state.data?.tiles ?? [], NOTHING_LIVE), [state.data])
  const tiles = useMemo(() => groups.flatMap((group) => group.tiles), [groups])
  const meanOf = state.data?.source === 'HOURLY_MEANS' ? hourText(at) : undefined
  const shown = useMemo((): ShownMoment => ({ at, meanOf }), [at, meanOf])
  const isNothingKnown = state.data && tiles.every(({ reading }) => reading === undefined)
  return (
    <ShownMomentContext.Provider value={shown}>
      <AsOfBar at={at} meanOf={meanOf} go={go} />
      <PastStrip
        device={device}
        at={at}
        tiles={state.isPending ? undefined : tiles}
        state={state.data}
        hasFailed={state.isError}
      />
      <AsyncView query={state} skeleton={<TileSkeleton />}>
        {() =>
          isNothingKnown ? (
            <EmptyNote title="Nothing is known of this moment">
              <p>The device reported nothing in the day before it. Choose another moment above.</p>
            </EmptyNote>
          ) : (
            <StatusComponents groups={groups} device={device} limits={NO_LIMITS} />
          )
        }
      </AsyncView>
      {state.data && <PastSettings settings={state.data.settings} />}
    </ShownMomentContext.Provider>
  )
}

/** The hour is a UTC hour, written by the viewer's clock. */
function hourText(at: Date): string {
  const begin = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS
  const [from, to] = [begin, begin + HOUR_MS].map((ms) => formatTime(new Date(ms)))
  return `mean of ${from}–${to}`
}
