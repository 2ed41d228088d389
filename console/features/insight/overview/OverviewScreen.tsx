import { IconMaximize, IconRefresh } from '@tabler/icons-react'
import { memo, type ReactNode, useState } from 'react'
import { haveSameAnswers } from '#console/lib/call/haveSameAnswers.ts'
import { reload } from '#console/lib/call/useCall.ts'
import { CustomerFilter } from '#console/pickers/CustomerFilter.tsx'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { Age } from '#console/ui/Age.tsx'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { CustomerId } from '#domain/ids.ts'
import { NowPanel } from './AttentionPanel.tsx'
import { CountTile } from './CountTile.tsx'
import { readAt } from './HeldNote.tsx'
import { HottestPanel } from './HottestPanel.tsx'
import type { KioskPage } from './KioskOverview.tsx'
import { OpenAlertsPanel } from './OpenAlertsPanel.tsx'
import './overview.css'
import { OVERVIEW_TILES } from './countTiles.ts'
import { useFleetLight, useLightDays } from './useFleetLight.ts'
import { useOverview, useOverviewCustomer } from './useOverview.ts'

// Charts, and what stands below the first screen, come after it.
const TemperaturePanel = lazyPart(() => import('./TemperaturePanel.tsx').then((part) => part.TemperaturePanel), {
  meanwhile: TemperaturesToCome,
})
const HeatMapPanel = lazyPart(() => import('./HeatMapPanel.tsx').then((part) => part.HeatMapPanel), {
  meanwhile: PanelToCome,
})
const LightPanel = lazyPart(() => import('./LightPanel.tsx').then((part) => part.LightPanel), {
  meanwhile: PanelToCome,
})
const SinceLastVisit = lazyPart(() => import('./SinceLastVisit.tsx').then((part) => part.SinceLastVisit), {
  meanwhile: () => null,
})
const SupportCard = lazyPart(() => import('./SupportCard.tsx').then((part) => part.SupportCard), {
  meanwhile: () => null,
})
const KioskOverview = lazyPart(() => import('./KioskOverview.tsx').then((part) => part.KioskOverview))

// Each part is drawn again for its own answer only.
const WrongNow = memo(NowPanel, haveSameAnswers)
const Tile = memo(CountTile, haveSameAnswers)
const Temperatures = memo(TemperaturePanel, haveSameAnswers)
const Hottest = memo(HottestPanel, haveSameAnswers)
const Hours = memo(HeatMapPanel, haveSameAnswers)
const OpenAlerts = memo(OpenAlertsPanel, haveSameAnswers)
const Light = memo(LightPanel, haveSameAnswers)

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
          Updated <Age at={readAt(values)} />
        </>
      }
      actions={
        <>
          <CustomerFilter value={customerId} onChange={setCustomerId} />
          <FullScreenButton customerId={customerId} />
          <ReloadButton onReload={reloadAll} />
        </>
      }
    >
      <SinceLastVisit customerId={customerId} />
      {parts.wrong}
      {parts.tiles}
      <div className="overview-columns">
        {parts.temperatures}
        {parts.hottest}
        {parts.opened}
      </div>
      {parts.light}
      {parts.hours}
      <SupportCard />
    </Screen>
  )
}

function TemperaturesToCome() {
  return (
    <Panel title="Internal temperatures, last 24 hours">
      <div className="overview-chart" role="status" aria-label="Loading" />
    </Panel>
  )
}

function PanelToCome() {
  return (
    <Panel>
      <Skeleton />
    </Panel>
  )
}

function useParts(customerId: CustomerId | undefined) {
  const { wrong, values, trends, hottest, opened, temperatures, heatMap, timeZone } = useOverview(customerId)
  const [lightDays] = useLightDays()
  const light = useFleetLight(customerId, lightDays)
  const reloadAll = async () => {
    const tables = [hottest, opened, temperatures, heatMap].map((table) => reload(table))
    await Promise.all([reload(wrong), reload(values), reload(trends), reload(light), ...tables])
  }
  const parts = {
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
    light: <Light light={light} />,
    opened: <OpenAlerts opened={opened} customerId={customerId} />,
    hours: <Hours heatMap={heatMap} timeZone={timeZone} customerId={customerId} />,
  }
  return { parts, values, reloadAll }
}
type Parts = ReturnType<typeof useParts>['parts']

const kioskPages = (parts: Parts): readonly KioskPage[] => [
  { name: 'Needs attention', content: parts.wrong, isUrgent: true },
  { name: 'Temperatures', content: <Beside wide={parts.temperatures} narrow={parts.hottest} /> },
  { name: 'Light', content: parts.light },
  { name: 'Alerts', content: <Beside wide={parts.hours} narrow={parts.opened} /> },
]

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
    <Hint label="Reload">
      <PlainIconButton aria-label="Reload" hasFrame isBusy={isBusy} onClick={() => void press()}>
        <IconRefresh size={16} aria-hidden />
      </PlainIconButton>
    </Hint>
  )
}

/** It leads to the page for a screen on the wall, and asks the browser for the whole screen. */
function FullScreenButton({ customerId }: { readonly customerId: CustomerId | undefined }) {
  const navigate = useNavigate()
  const press = () => {
    document.documentElement.requestFullscreen?.().catch(() => undefined)
    navigate(address('/overview', { customerId, kiosk: true }))
  }
  return (
    <Hint label="Full screen">
      <PlainIconButton aria-label="Full screen" hasFrame onClick={press}>
        <IconMaximize size={16} aria-hidden />
      </PlainIconButton>
    </Hint>
  )
}
