import {
  IconAlertTriangle,
  IconBattery2,
  IconBulbOff,
  IconClockX,
  IconCopy,
  IconFileX,
  IconPlugConnectedX,
  IconPower,
  IconRotate2,
  IconTool,
} from '@tabler/icons-react'
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import type { WrongKind } from '#domain/darkness/wrongKinds.ts'
import { attentionLabel } from './attentionLabels.ts'
import { LightBadge, lightWord } from './LightBadge.tsx'

const LOOKS: Readonly<Record<WrongKind, BadgeLook>> = {
  dark: { icon: IconBulbOff, tone: 'crit' },
  silent: { icon: IconPlugConnectedX, tone: 'crit' },
  alerted: { icon: IconAlertTriangle, tone: 'warn' },
  unanswered: { icon: IconPower, tone: 'warn' },
  onBattery: { icon: IconBattery2, tone: 'warn' },
  inMaintenance: { icon: IconTool, tone: 'off' },
  reportsRefused: { icon: IconFileX, tone: 'warn' },
  clockWrong: { icon: IconClockX, tone: 'warn' },
  restarting: { icon: IconRotate2, tone: 'warn' },
  identityConflict: { icon: IconCopy, tone: 'warn' },
}

type Now = Pick<Device, 'wrong' | 'light' | 'lightCause' | 'activeAlerts'>

/** Displays of devices that are out of order are dark too, although they need no attention. */
const problemOf = ({ wrong, light }: Now): WrongKind | null => wrong ?? (light === 'unplanned' ? 'dark' : null)

/** It says in words why a device needs attention, otherwise how its displays are lit. */
export function nowText(device: Now): string {
  const problem = problemOf(device)
  if (problem === null) return lightWord(device)
  if (problem === 'dark') return device.lightCause?.replace(/\.$/, '') ?? 'Dark'
  if (problem === 'alerted' && device.activeAlerts > 0) {
    return device.activeAlerts === 1 ? '1 active alert' : `${device.activeAlerts} active alerts`
  }
  return attentionLabel(problem)
}

export function NowBadge({ device }: { readonly device: Now }) {
  const problem = problemOf(device)
  if (problem === null) return <LightBadge device={device} />
  return <Badge {...LOOKS[problem]}>{nowText(device)}</Badge>
}
