import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import { CONNECTION_STATUS, connectionStatusName } from '#domain/devices/status.ts'

export function ConnectionBadge({ connStatusId }: { readonly connStatusId: number }) {
  const isOnline = connStatusId === CONNECTION_STATUS.online
  const Icon = isOnline ? IconPlugConnected : IconPlugConnectedX
  return (
    <Badge tone={isOnline ? 'ok' : 'off'} icon={Icon}>
      {connectionStatusName(connStatusId)}
    </Badge>
  )
}
