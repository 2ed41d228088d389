import { useEffect, useMemo, useState } from 'react'
import type { DeviceFields } from '#console/deviceParts/deviceFields.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { quiet } from '#console/lib/call/whenQuiet.ts'
import { useUser } from '#console/lib/session/session.ts'
import { deviceFilters } from '#console/pickers/deviceFilters.tsx'
import { ShapeSwitch } from '#console/pickers/ShapeSwitch.tsx'
import { EnterByView } from '#console/pickers/views/EnterByView.tsx'
import { useDeviceViews } from '#console/pickers/views/useDeviceViews.ts'
import { ViewNotes } from '#console/pickers/views/ViewNotes.tsx'
import { ViewTabs } from '#console/pickers/views/ViewTabs.tsx'
import { FIRST_SORT } from '#console/pickers/views/viewAddress.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FilterBar } from '#console/ui/filter/FilterBar.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { MapPlate } from '#console/ui/map/MapPlate.tsx'
import { areaOf, type MapPin, pinsWithin } from '#console/ui/map/mapPin.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import type { PinsView } from '#contract/http/devices/pins.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { isFiltered } from './locationsAddress.ts'
import { readMapView, rememberMapView, viewOfPlace } from './mapView.ts'
import { type ShownView, useDevicePins, useLivePins } from './useDevicePins.ts'
import { useLocationsFilter } from './useLocationsFilter.ts'
import { useMapPosition, type WholeFleet } from './useMapPosition.ts'
import './locations.css'

// The filter and the list can be used before the map is there, which weighs a third of the rest of the page.
const PinsMap = lazyPart(
  () =>
    quiet()
      .then(() => import('#console/ui/map/PinsMap.tsx'))
      .then((part) => part.PinsMap),
  { meanwhile: MapPlate },
)
const PlacesPanel = lazyPart(() => import('./PlacesPanel.tsx').then((part) => part.PlacesPanel))

const NO_PINS: readonly MapPin[] = []
/** The list is asked for this until the map says what it shows. */
const WORLD: ShownView = { area: { west: -180, south: -90, east: 180, north: 90 }, zoom: 0 }
const LABEL = 'Map of devices: arrow keys move it, plus and minus zoom. The list of devices beside it opens them.'

/** The page `/locations` shows every device that has a position, on a map and in a list beside it (rules/map 2). */
export function LocationsScreen() {
  // A saved view begins like the page itself, with the map where the view keeps it.
  const [openedCount, setOpenedCount] = useState(0)
  useEffect(() => void PlacesPanel.preload(), [])
  return (
    <EnterByView page="locations">
      <Locations key={openedCount} onOpened={() => setOpenedCount(openedCount + 1)} />
    </EnterByView>
  )
}

function Locations({ onOpened }: { readonly onOpened: () => void }) {
  const navigate = useNavigate()
  const { id: userId } = useUser()
  const { filter, go, at, setAt, unread } = useLocationsFilter()
  const views = useDeviceViews(filter, (exactly) => go(exactly))
  const [begin] = useState(() => viewOfPlace(at) ?? readMapView(userId))
  const [shown, setShown] = useState<ShownView>()
  const { answer, pins: read, cells, takeEvents } = useDevicePins(filter, shown ?? WORLD)
  const pins = read ?? NO_PINS
  const { isReloading, reloadNow } = useReload(answer)
  const [crowdIds, setCrowdIds] = useState<ReadonlySet<number>>()
  const inView = useMemo(() => (shown ? pinsWithin(pins, shown.area) : pins), [pins, shown])
  const crowd = useMemo(() => crowdIds && inView.filter(({ id }) => crowdIds.has(id)), [inView, crowdIds])
  const isCounted = cells.length > 0
  const countInView = isCounted ? (answer.data?.view?.inView ?? 0) : inView.length
  useLivePins(inView, takeEvents)
  const whole = useMemo(() => wholeOf(pins, answer.data?.view), [pins, answer.data])
  const { target, showAll, moveByItself, movedByHand } = useMapPosition({
    whole: read && shown && !answer.isPlaceholderData ? whole : undefined,
    filterKey: JSON.stringify(filter),
    isInView: countInView > 0,
    at,
    setAt,
  })

  return (
    <Screen
      title="Locations"
      views={<ViewTabs page="locations" fixed={views} onOpened={onOpened} />}
      unread={unread}
      subtitle={<Head placed={whole.count} without={answer.data?.withoutPosition} filter={filter} />}
    >
      <ViewNotes page="locations" />
      <Panel>
        <FilterBar
          {...deviceFilters(filter, (change, way) => go({ ...filter, ...change }, way))}
          onReload={() => void reloadNow()}
          onReset={() => {
            if (isFiltered(filter)) go({})
            else moveByItself(whole)
          }}
          isLoading={isReloading}
          chosenCount={Object.keys(filter).length}
        />
        <div className="locations">
          <PinsMap
            label={LABEL}
            pins={isCounted ? NO_PINS : pins}
            cells={cells}
            view={begin}
            target={target}
            onPin={({ guid }) => navigate(address('/devices/$guid/status', { guid }))}
            onCrowd={(some) => setCrowdIds(new Set(some.map(({ id }) => id)))}
            onMoved={(next, view, isByHand) => {
              setShown({ area: next, zoom: view.zoom })
              setCrowdIds(undefined)
              rememberMapView(userId, view)
              if (isByHand) movedByHand(view)
            }}
          />
          <AsyncView query={answer}>
            {() => (
              <PlacesPanel
                count={whole.count}
                countInView={countInView}
                inView={inView}
                crowd={crowd}
                isFiltered={isFiltered(filter)}
                onShowAll={() => showAll(whole)}
                onLeaveCrowd={() => setCrowdIds(undefined)}
                onReset={() => go({})}
              />
            )}
          </AsyncView>
        </div>
      </Panel>
    </Screen>
  )
}

function wholeOf(pins: readonly MapPin[], view: PinsView | undefined): WholeFleet {
  const count = view?.total ?? pins.length
  return { count, only: count === 1 ? pins[0] : undefined, area: view?.area ?? areaOf(pins) }
}

/** An order in its address makes the list show exactly this filter, and not that of the last visit. */
const listOf = (filter: DeviceFields) => address('/devices', { ...filter, sort: FIRST_SORT })

interface HeadProps {
  readonly placed: number
  /** It is undefined until the devices are read. */
  readonly without: number | undefined
  readonly filter: DeviceFields
}

const Head = ({ without, ...counts }: HeadProps) => (
  <span className="locations-head">
    <ShapeSwitch shown="map" other={listOf(counts.filter)} />
    {without !== undefined && <Counts {...counts} without={without} />}
  </span>
)

interface CountsProps {
  readonly placed: number
  readonly without: number
  readonly filter: DeviceFields
}

function Counts({ placed, without, filter }: CountsProps) {
  const devices = placed === 1 ? '1 device' : `${formatNumber(placed)} devices`
  if (without === 0) return <>{devices} on the map</>
  const missing = without === 1 ? '1 device has' : `${formatNumber(without)} devices have`
  return (
    <>
      {devices} on the map · <Link to={listOf(filter)}>{missing} no position</Link>
    </>
  )
}
