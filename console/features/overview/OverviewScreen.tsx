import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { reload } from '#console/lib/call/useCall.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { Age } from '#console/ui/Age.tsx'
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

/** `/overview`: how the fleet is, at a glance (P1 §2 "Dashboard"). */
export function OverviewScreen() {
  const [customerId, setCustomerId] = useOverviewCustomer()
  const { wrong, values, hottest, opened, temperatures, heatMap, timeZone } = useOverview(customerId)
  const [lightDays, setLightDays] = useLightDays()
  const light = useFleetLight(customerId, lightDays)
  const [isReloading, setIsReloading] = useState(false)
  const reloadAll = async () => {
    setIsReloading(true)
    const tables = [hottest, opened, temperatures, heatMap].map((table) => reload(table))
    await Promise.all([reload(wrong), reload(values), reload(light), ...tables])
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
          <CustomerPicker placeholder="All customers" value={customerId} onChange={setCustomerId} />
          <Button
            variant="default"
            leftSection={<IconRefresh size={15} aria-hidden />}
            loading={isReloading}
            onClick={() => void reloadAll()}
          >
            Reload
          </Button>
        </>
      }
    >
      <NowPanel wrong={wrong} customerId={customerId} />
      <div className="kpis">
        {OVERVIEW_TILES.map((tile) => (
          <CountTile key={tile.key} tile={tile} values={values} customerId={customerId} />
        ))}
      </div>
      <div className="overview-panels">
        <TemperaturePanel temperatures={temperatures} />
        <HottestPanel hottest={hottest} />
        <HeatMapPanel heatMap={heatMap} timeZone={timeZone} />
        <OpenAlertsPanel opened={opened} customerId={customerId} />
        <WorstLightPanel light={light} days={lightDays} onDays={setLightDays} />
        <AvailabilityPanel light={light} days={lightDays} />
      </div>
      <SupportCard />
    </Screen>
  )
}
