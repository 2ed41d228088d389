import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching } from '@tanstack/react-query'
import { refresh } from '#console/lib/useCall.ts'
import { Screen } from '#console/ui/Screen.tsx'
import { listDevices } from '#contract/http/device.ts'
import { CountTile } from './CountTile.tsx'
import { OVERVIEW_TILES } from './tiles.ts'
import './overview.css'

/** How many devices are in which state; each number opens the list that it counts. */
export function OverviewScreen() {
  const isLoading = useIsFetching({ queryKey: [listDevices.path] }) > 0
  return (
    <Screen
      title="Overview"
      subtitle="Refreshes every 59 s"
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={15} aria-hidden />}
          loading={isLoading}
          onClick={() => void refresh(listDevices)}
        >
          Reload
        </Button>
      }
    >
      <div className="kpis">
        {OVERVIEW_TILES.map((tile) => (
          <CountTile key={tile.label} tile={tile} />
        ))}
      </div>
    </Screen>
  )
}
