import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import { CONNECTION_STATUS, connectionStatusName } from '#domain/devices/status.ts'

interface ConnectionBadgeProps {
  readonly connStatusId: number
  readonly iconSize?: number
}

export function ConnectionBadge({ connStatusId, iconSize = 15 }: ConnectionBadgeProps) {
  const isOnline = connStatusId === CONNECTION_STATUS.online
  const Icon = isOnline ? IconPlugConnected : IconPlugConnectedX
  return (
    <Badge tone={isOnline ? 'ok' : 'off'} icon={Icon} iconSize={iconSize}>
      {connectionStatusName(connStatusId)}
    </Badge>
  )
}
