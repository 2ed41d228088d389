import { IconBulbFilled, IconBulbOff, IconHelpCircle, IconMoon, IconSunHigh, IconTool } from '@tabler/icons-react'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import '#console/ui/Badge.css'
import type { Device } from '#contract/http/devices/devices.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'

const LOOKS: Record<LightKind, { readonly icon: typeof IconTool; readonly tone: string; readonly word: string }> = {
  lit: { icon: IconBulbFilled, tone: 'ok', word: 'Lit' },
  litInOffTime: { icon: IconSunHigh, tone: 'warn', word: 'Lit, off time' },
  planned: { icon: IconMoon, tone: 'off', word: 'Planned' },
  maintenance: { icon: IconTool, tone: 'off', word: 'Maintenance' },
  unknown: { icon: IconHelpCircle, tone: 'off', word: 'Unknown' },
  unplanned: { icon: IconBulbOff, tone: 'crit', word: 'Dark' },
}

/** What the light of a device is called; a dash where it has no display, or was not judged yet. */
export const lightWord = ({ light }: Pick<Device, 'light'>): string =>
  light === null ? UNKNOWN_TEXT : LOOKS[light].word

/** Whether it is lit now, as icon and word: never by colour alone. */
export function LightBadge({ device }: { readonly device: Pick<Device, 'light'> }) {
  if (device.light === null) return <span className="dim">{UNKNOWN_TEXT}</span>
  const { icon: Icon, tone } = LOOKS[device.light]
  return (
    <span className={`badge badge-${tone}`}>
      <Icon size={15} aria-hidden />
      {lightWord(device)}
    </span>
  )
}
