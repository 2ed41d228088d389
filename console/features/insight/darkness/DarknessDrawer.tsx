import { Drawer, SegmentedControl } from '@mantine/core'
import type { Device } from '#contract/http/devices/devices.ts'
import { DarkMinutesPanel } from './DarkMinutesPanel.tsx'
import { DarknessPanel } from './DarknessPanel.tsx'
import './darkness.css'

const VIEWS = [
  { value: 'now', label: 'Now' },
  { value: 'minutes', label: 'Dark minutes' },
] as const

interface Props {
  readonly device: Device
  readonly view: string
  readonly onView: (view: string) => void
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DarknessDrawer({ device, view, onView, isOpen, onClose }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size={view === 'now' ? 480 : 880}
      title="Why is it dark?"
      classNames={{ body: 'darkness-body' }}
    >
      <SegmentedControl
        fullWidth
        size="xs"
        className="darkness-views"
        aria-label="View"
        data={[...VIEWS]}
        value={view}
        onChange={onView}
      />
      {view === 'now' ? <DarknessPanel device={device} onLeave={onClose} /> : <DarkMinutesPanel device={device} />}
    </Drawer>
  )
}
