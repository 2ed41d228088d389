import { ActionIcon, Button, Checkbox, Menu, SegmentedControl, Select, Tooltip } from '@mantine/core'
import { IconDownload, IconRefresh, IconZoomReset } from '@tabler/icons-react'
import { PeriodPicker } from '#console/ui/filter/PeriodPicker.tsx'
import { allowedStepsMinutes, STEPS_MINUTES } from '#domain/analytics/step.ts'
import { stepInUse } from './analyticsAddress.ts'
import type { AnalyticsAddress, AnalyticsAddressHook } from './useAnalyticsAddress.ts'

interface Props {
  readonly address: AnalyticsAddress
  readonly onChange: AnalyticsAddressHook['go']
  readonly isStale: boolean
  readonly isLoading: boolean
  readonly onReload: () => void
  /** What is planned differs from device to device. */
  readonly hasOneDevice: boolean
  /** There is something to take away. */
  readonly canExport: boolean
  readonly onExportCsv: () => void
  readonly onExportPng: () => void
}

export function AnalyticsToolbar(props: Props) {
  const { address, onChange, isStale, isLoading, onReload } = props
  const { period, stepMinutes, view, zoom } = address
  const steps = allowedStepsMinutes(period.from, period.to)
  return (
    <search className="analytics-bar" aria-label="Period and chart">
      <PeriodPicker value={period} onChange={(next) => onChange({ period: next, zoom: undefined })} />
      <Select
        className="analytics-step"
        aria-label="Step"
        data={steps.map((step) => ({ value: String(step), label: stepLabel(step) }))}
        value={String(stepInUse(stepMinutes, period))}
        allowDeselect={false}
        onChange={(value) => {
          const step = STEPS_MINUTES.find((one) => String(one) === value)
          if (step !== undefined) onChange({ stepMinutes: step })
        }}
      />
      <Button
        className={isStale ? 'reload-stale' : undefined}
        variant="default"
        leftSection={<IconRefresh size={15} aria-hidden />}
        loading={isLoading}
        onClick={onReload}
      >
        Reload
        {isStale && <span className="visually-hidden">: the chart does not show this filter yet</span>}
      </Button>
      <Looks {...props} />
      <div className="analytics-bar-end">
        {zoom && (
          <Button
            variant="default"
            leftSection={<IconZoomReset size={15} aria-hidden />}
            onClick={() => onChange({ zoom: undefined })}
          >
            Whole period
          </Button>
        )}
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={view}
          onChange={(next) => onChange({ view: next === 'table' ? 'table' : 'chart' })}
        />
        <ExportMenu {...props} />
      </div>
    </search>
  )
}

/** What is drawn beside the lines. */
function Looks({ address, onChange, hasOneDevice }: Props) {
  const { isAutoScaled, hasBand, showsAlerts, showsPlanned } = address
  return (
    <>
      <Checkbox
        size="xs"
        label="Auto-scale y-axis"
        checked={isAutoScaled}
        onChange={({ currentTarget }) => onChange({ isAutoScaled: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Min–max band"
        checked={hasBand}
        onChange={({ currentTarget }) => onChange({ hasBand: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Show alerts"
        checked={showsAlerts}
        onChange={({ currentTarget }) => onChange({ showsAlerts: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Planned darkness"
        description={hasOneDevice ? undefined : 'of one device only'}
        disabled={!hasOneDevice}
        checked={showsPlanned && hasOneDevice}
        onChange={({ currentTarget }) => onChange({ showsPlanned: currentTarget.checked })}
      />
    </>
  )
}

function ExportMenu({ canExport, address, onExportCsv, onExportPng }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label="Export what is shown">
          <ActionIcon variant="default" size={30} aria-label="Export what is shown" disabled={!canExport}>
            <IconDownload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onExportCsv}>Readings as CSV</Menu.Item>
        {address.view === 'chart' && <Menu.Item onClick={onExportPng}>Chart as PNG</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  )
}

const stepLabel = (minutes: number) => (minutes === 60 ? '1 hour' : `${minutes} minutes`)
