import { IconBulbFilled, IconBulbOff, IconHelpCircle, IconMoon, IconSunHigh, IconTool } from '@tabler/icons-react'
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

const LOOKS: Record<LightKind, BadgeLook & { readonly word: string }> = {
  lit: { icon: IconBulbFilled, tone: 'ok', word: 'Lit' },
  litInOffTime: { icon: IconSunHigh, tone: 'off', word: 'Lit, off time' },
  planned: { icon: IconMoon, tone: 'off', word: 'Planned' },
  maintenance: { icon: IconTool, tone: 'off', word: 'Maintenance' },
  unknown: { icon: IconHelpCircle, tone: 'off', word: 'Unknown' },
  unplanned: { icon: IconBulbOff, tone: 'crit', word: 'Dark' },
}

/** It returns a dash for a device that has no display or has not been judged yet. */
export const lightWord = ({ light }: Pick<Device, 'light'>): string =>
  light === null ? UNKNOWN_TEXT : LOOKS[light].word

/** Icon and word stand together: colour alone must not say whether a display is lit. */
export function LightBadge({ device }: { readonly device: Pick<Device, 'light'> }) {
  if (device.light === null) return <span className="dim">{UNKNOWN_TEXT}</span>
  const { word, ...look } = LOOKS[device.light]
  return <Badge {...look}>{word}</Badge>
}
