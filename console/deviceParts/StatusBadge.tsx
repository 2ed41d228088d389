import {
  IconBan,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconHelpCircle,
  IconRotateClockwise2,
  IconTool,
} from '@tabler/icons-react'
import { type DeviceStatusId, deviceStatusName } from '#domain/devices/status.ts'
import '#console/ui/Badge.css'

const LOOKS: Record<DeviceStatusId, { readonly icon: typeof IconTool; readonly tone: string }> = {
  1: { icon: IconCircleDashed, tone: 'pending' },
  2: { icon: IconCircleCheckFilled, tone: 'ok' },
  3: { icon: IconTool, tone: 'warn' },
  4: { icon: IconBan, tone: 'off' },
  5: { icon: IconCircleXFilled, tone: 'crit' },
  6: { icon: IconRotateClockwise2, tone: 'brand' },
}
const UNKNOWN_LOOK = { icon: IconHelpCircle, tone: 'off' }

interface StatusBadgeProps {
  readonly statusId: number
  readonly iconSize?: number
}

/** Icon and word stand together: colour alone must not say it. */
export function StatusBadge({ statusId, iconSize = 15 }: StatusBadgeProps) {
  const { icon: Icon, tone } = LOOKS[statusId as DeviceStatusId] ?? UNKNOWN_LOOK
  return (
    <span className={`badge badge-${tone}`}>
      <Icon size={iconSize} aria-hidden />
      {deviceStatusName(statusId)}
    </span>
  )
}
