import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { NumberInput } from '#console/ui/kit/laterFields.ts'
import { applyDataBudgetSettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { type DataBudget, NEARLY_USED_UP_PERCENT } from '#domain/dataBudget/dataUse.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import { sectionOf } from '../read/useSetup.ts'
import { SettingsForm } from '../section/SettingsForm.tsx'
import { useSectionForm } from '../section/useSectionForm.ts'

interface Values {
  readonly budget: DataBudget | null
}

interface DataBudgetFormProps {
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

const FIRST: DataBudget = { megabytes: 2000, billingDay: 1 }
const MEGABYTES_A_GIGABYTE = 1000

export function DataBudgetForm({ view, readings }: DataBudgetFormProps) {
  const { deviceId } = view
  const section = sectionOf(view, 'dataBudget', 1)
  const base: Values = { budget: (section?.desired?.budget ?? null) as DataBudget | null }
  const target = { deviceId, section: 'dataBudget', number: 1 } as const
  const form = useSectionForm<Values>(base, target, section)
  const { budget } = form.values
  const isTooOld = view.knowsDataBudgets === false

  const send = ({ budget: wanted }: Values, basedOn: string | null) =>
    sendOrQueue(applyDataBudgetSettings, { body: { deviceId, budget: wanted, basedOn } })

  return (
    <SettingsForm
      {...{ form, target, section }}
      readings={readings}
      unknownToClient={isTooOld && 'data budgets'}
      onApply={() => {
        if (!isTooOld || budget === null) void form.apply(send)
      }}
      sendBack={(args, basedOn) => send(args as unknown as Values, basedOn)}
    >
      <BudgetFields budget={budget} onChange={(changed) => form.change({ budget: changed })} />
      {base.budget && <Used budget={base.budget} readings={readings} />}
      <p className="setup-hint">
        Counted by the router of the device from the moment the budget was set. To be notified in time, add a condition
        on "Data budget used" at {NEARLY_USED_UP_PERCENT} %.
      </p>
    </SettingsForm>
  )
}

function BudgetFields({
  budget,
  onChange,
}: {
  readonly budget: DataBudget | null
  readonly onChange: (budget: DataBudget | null) => void
}) {
  const [draft, setDraft] = useState<number | string>()
  const take = (typed: number | string) => {
    setDraft(typed)
    const megabytes = Math.round(Number(typed) * MEGABYTES_A_GIGABYTE)
    if (budget && megabytes >= 1) onChange({ ...budget, megabytes })
  }
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Whether there is a data budget"
        data={[
          { value: 'none', label: 'None' },
          { value: 'month', label: 'Each month' },
        ]}
        value={budget ? 'month' : 'none'}
        onChange={(chosen) => onChange(chosen === 'month' ? FIRST : null)}
      />
      {budget && (
        <div className="data-budget-fields">
          <NumberInput
            size="xs"
            label="Budget"
            suffix=" GB"
            min={0.001}
            max={100_000}
            step={1}
            decimalScale={3}
            allowNegative={false}
            value={draft ?? budget.megabytes / MEGABYTES_A_GIGABYTE}
            onChange={take}
            onBlur={() => setDraft(undefined)}
          />
          <NumberInput
            size="xs"
            label="Billing day"
            min={1}
            max={31}
            allowDecimal={false}
            clampBehavior="strict"
            value={budget.billingDay}
            onChange={(day) => onChange({ ...budget, billingDay: Math.max(1, Math.trunc(Number(day))) })}
          />
        </div>
      )}
    </>
  )
}

function Used({ budget, readings }: { readonly budget: DataBudget; readonly readings: Readings }) {
  const megabytes = numberIn(readings, wireName('router', 1, 'data_used'))
  const percent = numberIn(readings, wireName('router', 1, 'data_used_percent'))
  if (megabytes === undefined || percent === undefined) return <p className="setup-hint">Nothing is reported yet.</p>
  const isNearly = percent >= NEARLY_USED_UP_PERCENT
  return (
    <div className="data-used" data-nearly={isNearly || undefined} role={isNearly ? 'alert' : undefined}>
      <meter min={0} max={100} value={Math.min(100, percent)} aria-label="Data budget used" />
      <span>
        {formatNumber(megabytes)} of {formatNumber(budget.megabytes)} MB, {formatNumber(percent)} %
        {isNearly && (percent >= 100 ? ': used up' : ': nearly used up')}
      </span>
    </div>
  )
}
