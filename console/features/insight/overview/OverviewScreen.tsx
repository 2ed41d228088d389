import { IconRefresh } from '@tabler/icons-react'
import { memo, type ReactNode, useState } from 'react'
import { haveSameAnswers } from '#console/lib/call/haveSameAnswers.ts'
import { refresh, reload } from '#console/lib/call/useCall.ts'
import { CustomerFilter } from '#console/pickers/CustomerFilter.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { Age } from '#console/ui/Age.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import type { CustomerId } from '#domain/ids.ts'
import { NowPanel } from './AttentionPanel.tsx'
import { AvailabilityPanel } from './AvailabilityPanel.tsx'
import { CountTile } from './CountTile.tsx'
import { HeatMapPanel } from './HeatMapPanel.tsx'
import { readAt } from './HeldNote.tsx'
import { HottestPanel } from './HottestPanel.tsx'
import { KioskOverview, type KioskPage } from './KioskOverview.tsx'
import { OpenAlertsPanel } from './OpenAlertsPanel.tsx'
import './overview.css'
import { OVERVIEW_TILES } from './countTiles.ts'
import { SupportCard } from './SupportCard.tsx'
import { TemperaturePanel } from './TemperaturePanel.tsx'
import { useFleetLight, useLightDays } from './useFleetLight.ts'
import { useOverview, useOverviewCustomer } from './useOverview.ts'
import { WorstLightPanel } from './WorstLightPanel.tsx'

// Each part is drawn again for its own answer only.
const WrongNow = memo(NowPanel, haveSameAnswers)
const Tile = memo(CountTile, haveSameAnswers)
const Temperatures = memo(TemperaturePanel, haveSameAnswers)
const Hottest = memo(HottestPanel, haveSameAnswers)
const Hours = memo(HeatMapPanel, haveSameAnswers)
const OpenAlerts = memo(OpenAlertsPanel, haveSameAnswers)
const Availability = memo(AvailabilityPanel, haveSameAnswers)
/** It appears after the rest, in the room that is kept for it. */
const Incidents = lazyPart(() => import('./IncidentsPanel.tsx').then((part) => part.IncidentsPanel), {
  meanwhile: () => (
    <Panel title="Incidents">
      <div className="now-incidents" />
    </Panel>
  ),
})

export function OverviewScreen() {
  const [customerId, setCustomerId] = useOverviewCustomer()
  const { values: given } = useAddress('/overview')
  const { parts, values, reloadAll } = useParts(customerId)
  if (given.kiosk) return <KioskOverview customerId={customerId} top={parts.tiles} pages={kioskPages(parts)} />
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
          <ReloadButton onReload={reloadAll} />
        </>
      }
    >
      {parts.incidents}
      {parts.wrong}
      {parts.tiles}
      <div className="overview-panels">
        {parts.temperatures}
        {parts.hottest}
        {parts.worstLight}
        <div className="overview-beside">
          {parts.availability}
          {parts.opened}
        </div>
        <div className="overview-wide">{parts.hours}</div>
      </div>
      <SupportCard />
    </Screen>
  )
}

function useParts(customerId: CustomerId | undefined) {
  const { wrong, values, trends, hottest, opened, temperatures, heatMap, timeZone } = useOverview(customerId)
  const [lightDays, setLightDays] = useLightDays()
  const light = useFleetLight(customerId, lightDays)
  const reloadAll = async () => {
    const tables = [hottest, opened, temperatures, heatMap].map((table) => reload(table))
    await Promise.all([reload(wrong), reload(values), reload(trends), reload(light), refresh(listIncidents), ...tables])
  }
  const parts = {
    incidents: <Incidents customerId={customerId} />,
    wrong: <WrongNow wrong={wrong} customerId={customerId} />,
    tiles: (
      <div className="kpis">
        {OVERVIEW_TILES.map((tile) => (
          <Tile key={tile.key} tile={tile} values={values} trends={trends} customerId={customerId} />
        ))}
      </div>
    ),
    temperatures: <Temperatures temperatures={temperatures} />,
    hottest: <Hottest hottest={hottest} />,
    worstLight: <WorstLightPanel light={light} days={lightDays} onDays={setLightDays} />,
    availability: <Availability light={light} days={lightDays} />,
    opened: <OpenAlerts opened={opened} customerId={customerId} />,
    hours: <Hours heatMap={heatMap} timeZone={timeZone} customerId={customerId} />,
  }
  return { parts, values, reloadAll }
}
type Parts = ReturnType<typeof useParts>['parts']

const kioskPages = (parts: Parts): readonly KioskPage[] => [
  { name: 'Needs attention', content: <WrongOnTheWall {...parts} />, isUrgent: true },
  { name: 'Temperatures', content: <Beside wide={parts.temperatures} narrow={parts.hottest} /> },
  { name: 'Light', content: <Beside wide={parts.worstLight} narrow={parts.availability} /> },
  { name: 'Alerts', content: <Beside wide={parts.hours} narrow={parts.opened} /> },
]

const WrongOnTheWall = ({ incidents, wrong }: Pick<Parts, 'incidents' | 'wrong'>) => (
  <div className="now-stack">
    {incidents}
    {wrong}
  </div>
)

const Beside = ({ wide, narrow }: { readonly wide: ReactNode; readonly narrow: ReactNode }) => (
  <div className="overview-panels">
    {wide}
    {narrow}
  </div>
)

function ReloadButton({ onReload }: { readonly onReload: () => Promise<void> }) {
  const [isBusy, setIsBusy] = useState(false)
  const press = async () => {
    setIsBusy(true)
    await onReload()
    setIsBusy(false)
  }
  return (
    <PlainButton icon={<IconRefresh size={15} aria-hidden />} isBusy={isBusy} onClick={() => void press()}>
      Reload
    </PlainButton>
  )
}
