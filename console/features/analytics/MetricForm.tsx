import { Button, ColorSwatch, Group, Radio, Select, Stack, useComputedColorScheme } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { useCall } from '#console/lib/useCall.ts'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { colourName, drawnColour, METRIC_COLOURS, type MetricColour } from '#console/ui/chart/metricColours.ts'
import { listMeasurements, type Measurement } from '#contract/http/analytics.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'
import type { MetricChoice, YAxis } from './metricChoice.ts'

interface Props {
  /** What is edited, or what a new metric starts with. */
  readonly initial: Partial<MetricChoice> & Pick<MetricChoice, 'color' | 'yAxis'>
  readonly submitLabel: string
  readonly onSubmit: (metric: MetricChoice) => void
  readonly onCancel: () => void
}

interface Values {
  readonly deviceId: DeviceId | undefined
  readonly metricId: FieldId | undefined
  readonly yAxis: YAxis
  readonly color: MetricColour
}

/** P1 §5 "Add/Edit metric". */
export function MetricForm({ initial, submitLabel, onSubmit, onCancel }: Props) {
  const scheme = useComputedColorScheme('dark')
  const form = useForm<Values>({
    initialValues: { deviceId: undefined, metricId: undefined, ...initial },
    validate: {
      deviceId: (deviceId) => (deviceId === undefined ? required('Device') : null),
      metricId: (metricId) => (metricId === undefined ? required('Metric') : null),
    },
  })
  const { deviceId, metricId, yAxis, color } = form.values
  const offered = useCall(listMeasurements, { deviceId: deviceId as DeviceId }, { enabled: deviceId !== undefined })

  // biome-ignore lint/correctness/useExhaustiveDependencies: when a list has come, not when the form is drawn again
  useEffect(() => {
    // P1 §5: a selected metric that is not in the loaded list is cleared.
    const isOffered = offered.data?.some(({ mea_id }) => mea_id === metricId)
    if (offered.data && metricId !== undefined && !isOffered) form.setFieldValue('metricId', undefined)
  }, [offered.data, deviceId])

  const submit = (values: Values) => {
    if (values.deviceId === undefined || values.metricId === undefined) return
    onSubmit({ deviceId: values.deviceId, metricId: values.metricId, color: values.color, yAxis: values.yAxis })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <DevicePicker
          label="Device"
          withAsterisk
          data-autofocus
          value={deviceId}
          onChange={(id) => form.setFieldValue('deviceId', id)}
          error={form.errors.deviceId}
        />
        <Select
          label="Metric"
          withAsterisk
          placeholder={deviceId === undefined ? 'Choose a device first' : 'Choose'}
          disabled={deviceId === undefined}
          searchable
          data={groupsOf(offered.data ?? [])}
          value={metricId === undefined || !offered.data ? null : String(metricId)}
          onChange={(id) => form.setFieldValue('metricId', id === null ? undefined : (Number(id) as FieldId))}
          error={form.errors.metricId}
          nothingFoundMessage={
            offered.isPending ? 'Loading…' : offered.isError ? 'Could not be loaded' : 'Nothing found'
          }
          maxDropdownHeight={260}
        />
        <Radio.Group
          label="Y-axis"
          value={String(yAxis)}
          onChange={(axis) => form.setFieldValue('yAxis', axis === '2' ? 2 : 1)}
        >
          <Group gap="lg" mt={4}>
            <Radio size="xs" value="1" label="Left" />
            <Radio size="xs" value="2" label="Right" />
          </Group>
        </Radio.Group>
        <Radio.Group
          label="Colour"
          value={color}
          onChange={(chosen) => form.setFieldValue('color', chosen as MetricColour)}
        >
          <Group gap={8} mt={4}>
            {METRIC_COLOURS.map((colour) => (
              <Radio.Card key={colour} value={colour} aria-label={colourName(colour)} className="colour-choice">
                <ColorSwatch color={drawnColour(colour, scheme)} size={22} radius={4} withShadow={false} />
              </Radio.Card>
            ))}
          </Group>
        </Radio.Group>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit">{submitLabel}</Button>
        </Group>
      </Stack>
    </form>
  )
}

function groupsOf(measurements: readonly Measurement[]) {
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const { mea_id, mea_name, mea_group } of measurements) {
    groups.set(mea_group, [...(groups.get(mea_group) ?? []), { value: String(mea_id), label: mea_name }])
  }
  return [...groups].map(([group, items]) => ({ group, items }))
}
