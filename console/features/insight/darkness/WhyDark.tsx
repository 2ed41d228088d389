import { IconBulbOff, IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { useLocation } from '#console/router/Router.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { getDarkness } from '#contract/http/insight/darkness.ts'

const DarknessDrawer = lazyDialog(() => import('./DarknessDrawer.tsx').then((part) => part.DarknessDrawer))

/** This value in the address opens the panel at once, with the days. */
const DARK_MINUTES = 'dark-minutes'

/** It answers why there is no light, beside the open tab. Header, strip and palette open it by its commands. */
export function WhyDark() {
  const device = useOpenDevice()
  const mayAsk = useMay(getDarkness.permission)
  const isLed = useLocation().anchor === DARK_MINUTES
  const [isOpen, setIsOpen] = useState(isLed)
  const [view, setView] = useState<string>(isLed ? 'minutes' : 'now')
  useDarknessCommands((wanted) => {
    setView(wanted)
    setIsOpen(true)
  })
  if (!mayAsk) return null
  return (
    <DarknessDrawer device={device} view={view} onView={setView} isOpen={isOpen} onClose={() => setIsOpen(false)} />
  )
}

function useDarknessCommands(show: (view: string) => void) {
  usePaletteCommands([
    {
      actionId: 'device.whyDark',
      label: 'Why is it dark?',
      searchTerms: 'light cause reason',
      icon: IconBulbOff,
      run: () => show('now'),
    },
    {
      actionId: 'device.darkMinutes',
      label: 'Dark minutes',
      searchTerms: 'light days availability',
      icon: IconChartBar,
      run: () => show('minutes'),
    },
  ])
}
