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
import { severityIcon, severityTone } from '#console/ui/severityLook.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { darkTitle } from '#domain/darkness/darkTitle.ts'
import type { WrongKind } from '#domain/darkness/wrongKinds.ts'
import { LightBadge, lightWord } from './LightBadge.tsx'
import { attentionLabel } from './wrongLabels.ts'
import './nowBadge.css'

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

type Now = Pick<Device, 'wrong' | 'light' | 'lightCause' | 'worstAlert'>

/** Displays of devices that are out of order are dark too, although they need no attention. */
const problemOf = ({ wrong, light }: Now): WrongKind | null => wrong ?? (light === 'unplanned' ? 'dark' : null)

/** The icon says already that the display is dark, so "Dark: no mains" becomes "No mains". */
function reasonOf(verdict: string): string {
  const reason = darkTitle(verdict).replace(/^Dark: /, '')
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** It says in words why a device needs attention, otherwise how its displays are lit. */
export function nowText(device: Now): string {
  const problem = problemOf(device)
  if (problem === null) return lightWord(device)
  if (problem === 'dark') return device.lightCause === null ? 'Dark' : reasonOf(device.lightCause)
  return (problem === 'alerted' && device.worstAlert?.title) || attentionLabel(problem)
}

export function NowBadge({ device }: { readonly device: Now }) {
  const problem = problemOf(device)
  if (problem === null) return <LightBadge device={device} />
  const severityId = problem === 'alerted' ? device.worstAlert?.severityId : undefined
  const look =
    severityId === undefined ? LOOKS[problem] : { icon: severityIcon(severityId, true), tone: severityTone(severityId) }
  return <Badge {...look}>{nowText(device)}</Badge>
}
