import { Group, Radio, Select } from '@mantine/core'
import { useEffect } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useFieldForm } from '#console/lib/form/useFieldForm.ts'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { listMeasurements, type Measurement } from '#contract/http/insight/analytics.ts'
import { groupTitle } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'
import { ColourField } from './ColourField.tsx'
import type { MetricChoice } from './read/metricChoice.ts'

interface Props {
  readonly initial: Partial<MetricChoice> & Pick<MetricChoice, 'color' | 'yAxis'>
  readonly submitLabel: string
  readonly onSubmit: (metric: MetricChoice) => void
  readonly onCancel: () => void
}

const LABELS = { deviceId: 'Device', metricId: 'Metric', yAxis: 'Y-axis', color: 'Colour' } as const
const REQUIRED = ['deviceId', 'metricId'] as const

/** The form adds a metric to the chart, or edits one (rules/analytics 3). */
export function MetricForm({ initial: { isHidden: _hidden, ...initial }, submitLabel, onSubmit, onCancel }: Props) {
  const { values, set, field, submit } = useFieldForm({
    labels: LABELS,
    initial: {
      deviceId: undefined as DeviceId | undefined,
      metricId: undefined as FieldId | undefined,
      ...initial,
    },
    requires: (name) => REQUIRED.some((one) => one === name),
    errors: (chosen) =>
      Object.fromEntries(
        REQUIRED.filter((name) => chosen[name] === undefined).map((name) => [name, required(LABELS[name])]),
      ),
    onSubmit: ({ deviceId, metricId, color, yAxis }) => {
      if (deviceId !== undefined && metricId !== undefined) onSubmit({ deviceId, metricId, color, yAxis })
    },
  })
  const { deviceId, metricId, yAxis, color } = values
  const offered = useCall(listMeasurements, { deviceId: deviceId as DeviceId }, { enabled: deviceId !== undefined })

  // biome-ignore lint/correctness/useExhaustiveDependencies: when a list has come, not when the form is drawn again
  useEffect(() => {
    // A chosen measurement that is not in the loaded list is cleared (rules/analytics 3).
    const isOffered = offered.data?.some(({ mea_id }) => mea_id === metricId)
    if (offered.data && metricId !== undefined && !isOffered) set({ metricId: undefined })
  }, [offered.data, deviceId])

  return (
    <ModalForm onSubmit={submit} submitLabel={submitLabel} onCancel={onCancel}>
      <DevicePicker {...field('deviceId')} data-autofocus />
      <Select
        {...field('metricId')}
        placeholder={deviceId === undefined ? 'Choose a device first' : 'Choose'}
        disabled={deviceId === undefined}
        searchable
        data={groupsOf(offered.data ?? [])}
        value={metricId === undefined || !offered.data ? null : String(metricId)}
        onChange={(id) => set({ metricId: id === null ? undefined : (Number(id) as FieldId) })}
        nothingFoundMessage={offered.isPending ? 'Loading…' : offered.isError ? 'Could not be loaded' : 'Nothing found'}
        maxDropdownHeight={260}
      />
      <Radio.Group label={LABELS.yAxis} value={String(yAxis)} onChange={(axis) => set({ yAxis: axis === '2' ? 2 : 1 })}>
        <Group gap="lg" mt={4}>
          <Radio size="xs" value="1" label="Left" />
          <Radio size="xs" value="2" label="Right" />
        </Group>
      </Radio.Group>
      <ColourField label={LABELS.color} value={color} onChange={(chosen) => set({ color: chosen })} />
    </ModalForm>
  )
}

function groupsOf(measurements: readonly Measurement[]) {
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const { mea_id, mea_name, mea_group } of measurements) {
    const group = groupTitle(mea_group)
    groups.set(group, [...(groups.get(group) ?? []), { value: String(mea_id), label: mea_name }])
  }
  return [...groups].map(([group, items]) => ({ group, items }))
}
