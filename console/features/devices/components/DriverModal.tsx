import { Modal } from '@mantine/core'
import type { ComponentProps } from 'react'
import { DriverForm } from './DriverForm.tsx'
import { partTitle } from './driverLabels.ts'

export function DriverModal(form: ComponentProps<typeof DriverForm>) {
  return (
    <Modal opened onClose={form.onClose} title={`Driver of ${partTitle(form.part.part)}`} size={440}>
      <DriverForm {...form} />
    </Modal>
  )
}
