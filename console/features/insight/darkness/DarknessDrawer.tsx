import { Drawer, SegmentedControl } from '@mantine/core'
import { IconBulbOff, IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { useLocation } from '#console/router/Router.tsx'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { DarkMinutesPanel } from './DarkMinutesPanel.tsx'
import { DarknessPanel } from './DarknessPanel.tsx'
import './darkness.css'

/** This value in the address opens the panel at once, with the days. */
const DARK_MINUTES = 'dark-minutes'

const VIEWS = [
  { value: 'now', label: 'Now' },
  { value: 'minutes', label: 'Dark minutes' },
] as const

/** It answers why there is no light, beside the open tab. Header, strip and palette open it by its commands. */
export function DarknessDrawer() {
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
    <Drawer
      opened={isOpen}
      onClose={() => setIsOpen(false)}
      position="right"
      size={view === 'now' ? 480 : 880}
      title="Why is it dark?"
      classNames={{ body: 'darkness-body' }}
      overlayProps={{ backgroundOpacity: 0.35 }}
    >
      <SegmentedControl
        fullWidth
        size="xs"
        className="darkness-views"
        aria-label="View"
        data={[...VIEWS]}
        value={view}
        onChange={setView}
      />
      {view === 'now' ? (
        <DarknessPanel device={device} onLeave={() => setIsOpen(false)} />
      ) : (
        <DarkMinutesPanel device={device} />
      )}
    </Drawer>
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
