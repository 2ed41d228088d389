import { IconMoon, IconSun } from '@tabler/icons-react'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'
import { switchScheme, useScheme } from '#console/ui/style/scheme.ts'

export function ThemeSwitch() {
  const isDark = useScheme() === 'dark'
  const label = isDark ? 'Switch to the light theme' : 'Switch to the dark theme'
  const Icon = isDark ? IconSun : IconMoon
  return (
    <Hint label={label}>
      <PlainIconButton aria-label={label} onClick={switchScheme}>
        <Icon size={18} stroke={1.7} aria-hidden />
      </PlainIconButton>
    </Hint>
  )
}
