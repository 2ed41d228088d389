import { IconRefresh } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { haveSameAnswers } from '#console/lib/call/haveSameAnswers.ts'
import { reload } from '#console/lib/call/useCall.ts'
import { CustomerFilter } from '#console/pickers/CustomerFilter.tsx'
import { Age } from '#console/ui/Age.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { AvailabilityPanel } from './AvailabilityPanel.tsx'
import { CountTile } from './CountTile.tsx'
import { HeatMapPanel } from './HeatMapPanel.tsx'
import { readAt } from './HeldNote.tsx'
import { HottestPanel } from './HottestPanel.tsx'
import { NowPanel } from './NowPanel.tsx'
import { OpenAlertsPanel } from './OpenAlertsPanel.tsx'
import './overview.css'
import { OVERVIEW_TILES } from './countTiles.ts'
import { SupportCard } from './SupportCard.tsx'
import { TemperaturePanel } from './TemperaturePanel.tsx'
import { useFleetLight, useLightDays } from './useFleetLight.ts'
import { useOverview, useOverviewCustomer } from './useOverview.ts'
import { WorstLightPanel } from './WorstLightPanel.tsx'

// Each is drawn anew for an answer of its own, not for those of the others.
const WrongNow = memo(NowPanel, haveSameAnswers)
const Tile = memo(CountTile, haveSameAnswers)
const Temperatures = memo(TemperaturePanel, haveSameAnswers)
const Hottest = memo(HottestPanel, haveSameAnswers)
const Hours = memo(HeatMapPanel, haveSameAnswers)
const OpenAlerts = memo(OpenAlertsPanel, haveSameAnswers)
const Availability = memo(AvailabilityPanel, haveSameAnswers)

/** `/overview`: how the fleet is, at a glance (P1 §2 "Dashboard"). */
export function OverviewScreen() {
  const [customerId, setCustomerId] = useOverviewCustomer()
  const { wrong, values, trends, hottest, opened, temperatures, heatMap, timeZone } = useOverview(customerId)
  const [lightDays, setLightDays] = useLightDays()
  const light = useFleetLight(customerId, lightDays)
  const [isReloading, setIsReloading] = useState(false)
  const reloadAll = async () => {
    setIsReloading(true)
    const tables = [hottest, opened, temperatures, heatMap].map((table) => reload(table))
    await Promise.all([reload(wrong), reload(values), reload(trends), reload(light), ...tables])
    setIsReloading(false)
  }

  return (
    <Screen
      title="Overview"
      subtitle={
        <>
          Updated <Age at={readAt(values)} /> · refreshes every 59 s
        </>
      }
      actions={
        <>
          <CustomerFilter value={customerId} onChange={setCustomerId} />
          <PlainButton
            icon={<IconRefresh size={15} aria-hidden />}
            isBusy={isReloading}
            onClick={() => void reloadAll()}
          >
            Reload
          </PlainButton>
        </>
      }
    >
      <WrongNow wrong={wrong} customerId={customerId} />
      <div className="kpis">
        {OVERVIEW_TILES.map((tile) => (
          <Tile key={tile.key} tile={tile} values={values} trends={trends} customerId={customerId} />
        ))}
      </div>
      <div className="overview-panels">
        <Temperatures temperatures={temperatures} />
        <Hottest hottest={hottest} />
        <WorstLightPanel light={light} days={lightDays} onDays={setLightDays} />
        <div className="overview-beside">
          <Availability light={light} days={lightDays} />
          <OpenAlerts opened={opened} customerId={customerId} />
        </div>
        <div className="overview-wide">
          <Hours heatMap={heatMap} timeZone={timeZone} customerId={customerId} />
        </div>
      </div>
      <SupportCard />
    </Screen>
  )
}
