import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { CONNECTION_STATUS, connectionStatusName } from '#domain/devices/status.ts'
import '#console/ui/Badge.css'

interface ConnectionBadgeProps {
  readonly connStatusId: number
  readonly iconSize?: number
}

export function ConnectionBadge({ connStatusId, iconSize = 15 }: ConnectionBadgeProps) {
  const isOnline = connStatusId === CONNECTION_STATUS.online
  const Icon = isOnline ? IconPlugConnected : IconPlugConnectedX
  return (
    <span className={`badge badge-${isOnline ? 'ok' : 'crit'}`}>
      <Icon size={iconSize} aria-hidden />
      {connectionStatusName(connStatusId)}
    </span>
  )
}
