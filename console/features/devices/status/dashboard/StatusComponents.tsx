import { useMemo } from 'react'
import { Later } from '#console/ui/Later.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { MeasuredPanel } from './MeasuredPanel.tsx'
import { SettingsTable } from './SettingsTable.tsx'
import type { LimitsByField } from './tiles/limitLabels.ts'
import { statusGroup } from './tiles/tileGroups.ts'
import type { TileGroup } from './tiles/tiles.ts'

interface Props {
  readonly groups: readonly TileGroup[]
  readonly device: Device
  readonly limits: LimitsByField
}

export function StatusComponents({ groups, device: { id, guid, name, modelId }, limits }: Props) {
  const shown = useMemo(() => groups.map(statusGroup), [groups])
  // Each report changes the device object; the tiles' part of it stays the same object, so that they are not drawn
  // again.
  const device = useMemo(() => ({ id, guid, name, modelId }), [id, guid, name, modelId])
  return (
    <div className="status-columns">
      <MeasuredPanel groups={shown} device={device} limits={limits} />
      <Later meanwhile={<div className="panel status-lines-loading" />}>
        <SettingsTable groups={shown} device={device} />
      </Later>
    </div>
  )
}
