import {
  IconBan,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconHelpCircle,
  IconRotateClockwise2,
  IconTool,
} from '@tabler/icons-react'
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'
import { type DeviceStatusId, deviceStatusName } from '#domain/devices/status.ts'

/** Red and amber belong to severities, so a status has neither. */
const LOOKS: Record<DeviceStatusId, BadgeLook> = {
  1: { icon: IconCircleDashed, tone: 'pending' },
  2: { icon: IconCircleCheckFilled, tone: 'ok' },
  3: { icon: IconTool, tone: 'brand' },
  4: { icon: IconBan, tone: 'off' },
  5: { icon: IconCircleXFilled, tone: 'off' },
  6: { icon: IconRotateClockwise2, tone: 'brand' },
}
const UNKNOWN_LOOK: BadgeLook = { icon: IconHelpCircle, tone: 'off' }

/** Icon and word stand together: colour alone must not say it. */
export function StatusBadge({ statusId }: { readonly statusId: number }) {
  return <Badge {...(LOOKS[statusId as DeviceStatusId] ?? UNKNOWN_LOOK)}>{deviceStatusName(statusId)}</Badge>
}
