import { Modal } from '@mantine/core'
import { nextColour } from '#console/ui/chart/series/metricColours.ts'
import { MetricForm } from './MetricForm.tsx'
import type { MetricChoice } from './read/metricChoice.ts'

export type MetricDialog = { readonly kind: 'add' } | { readonly kind: 'edit'; readonly metric: MetricChoice }

interface Props {
  readonly dialog: MetricDialog
  readonly metrics: readonly MetricChoice[]
  readonly onSubmit: (metric: MetricChoice) => void
  readonly onClose: () => void
}

export function MetricModal({ dialog, metrics, onSubmit, onClose }: Props) {
  const isEdit = dialog.kind === 'edit'
  return (
    <Modal opened onClose={onClose} title={isEdit ? 'Edit metric' : 'Add metric'} size={300}>
      <MetricForm
        initial={isEdit ? dialog.metric : { color: nextColour(metrics.map(({ color }) => color)), yAxis: 1 }}
        submitLabel={isEdit ? 'Save' : 'Add metric'}
        onSubmit={onSubmit}
        onCancel={onClose}
      />
    </Modal>
  )
}
