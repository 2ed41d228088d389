import { Checkbox } from '@mantine/core'
import { IconRefresh, IconZoomReset } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { PeriodPicker } from '#console/ui/filter/PeriodPicker.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { allowedStepsMinutes, STEPS_MINUTES } from '#domain/analytics/step.ts'
import { stepInUse } from './read/analyticsAddress.ts'
import type { AnalyticsAddress, AnalyticsAddressHook } from './read/useAnalyticsAddress.ts'
import { ShowMenu } from './ShowMenu.tsx'

interface Props {
  readonly address: AnalyticsAddress
  readonly onChange: AnalyticsAddressHook['go']
  readonly isStale: boolean
  readonly isLoading: boolean
  readonly onReload: () => void
  readonly options: ComponentProps<typeof ShowMenu>['options']
}

/** The toolbar fits in one line from 1440 pixels on. */
export function AnalyticsToolbar(props: Props) {
  const { address, onChange, isStale, isLoading, onReload } = props
  const { period, stepMinutes } = address
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
      <ActionButton
        icon={IconRefresh}
        iconSize={15}
        className={isStale ? 'reload-stale' : undefined}
        loading={isLoading}
        onClick={onReload}
      >
        Reload
        {isStale && <span className="visually-hidden">: the chart does not show this filter yet</span>}
      </ActionButton>
      {address.zoom && (
        <ActionButton icon={IconZoomReset} iconSize={15} onClick={() => onChange({ zoom: undefined })}>
          Whole period
        </ActionButton>
      )}
      <Looks {...props} />
    </search>
  )
}

/** The two checkboxes are specified, so they stand open; what came since is in the menu. */
function Looks({ address, onChange, options }: Props) {
  const { isAutoScaled, showsAlerts } = address
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
        label="Show alerts"
        checked={showsAlerts}
        onChange={({ currentTarget }) => onChange({ showsAlerts: currentTarget.checked })}
      />
      <ShowMenu address={address} onChange={onChange} options={options} />
    </>
  )
}

const stepLabel = (minutes: number) => (minutes === 60 ? '1 hour' : `${minutes} minutes`)
