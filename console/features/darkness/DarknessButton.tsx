import { Button, Drawer } from '@mantine/core'
import { IconBulbOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useOpenDevice } from '#console/lib/openDevice.ts'
import { useMay } from '#console/lib/session.ts'
import { getDarkness } from '#contract/http/darkness.ts'
import { DarknessPanel } from './DarknessPanel.tsx'
import './darkness.css'

/** The question of an operator who sees no light, beside whatever tab is open (issue: Darkness, 2). */
export function DarknessButton() {
  const device = useOpenDevice()
  const mayAsk = useMay(getDarkness.permission)
  const [isOpen, setIsOpen] = useState(false)
  if (!mayAsk) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBulbOff size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Why is it dark?
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="right"
        size={480}
        title="Why is it dark?"
        className="darkness-drawer"
        closeButtonProps={{ 'aria-label': 'Close' }}
        attributes={{ header: { role: 'presentation' } }}
        overlayProps={{ backgroundOpacity: 0.35 }}
      >
        <DarknessPanel device={device} onLeave={() => setIsOpen(false)} />
      </Drawer>
    </>
  )
}
