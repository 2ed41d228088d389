import { Select, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { type Energy, setEnergyTariffs, setGridFactors, setPanelPower } from '#contract/http/insight/energy.ts'
import { type Basis, factorsText, readFactorsText, readTariffsText, tariffsText } from './basisText.ts'

interface Props {
  readonly energy: Energy
  readonly basis: Basis
  readonly onClose: () => void
}

/** It sets a figure by which energy is counted. Every period is counted by it at once. */
export function BasisModal({ basis, ...props }: Props) {
  if (basis === 'prices') return <PricesForm {...props} />
  return basis === 'power' ? <PowerForm {...props} /> : <FactorsForm {...props} />
}

type FormProps = Omit<Props, 'basis'>

function PricesForm({ energy: { customerId, customerName, basis }, onClose }: FormProps) {
  const { field, values, submit, isBusy } = useCallForm(setEnergyTariffs, {
    labels: { of: 'Prices of', tariffs: 'Prices' },
    initial: {
      of: basis.areTariffsOwn || basis.tariffs.length === 0 ? 'customer' : 'all',
      tariffs: tariffsText(basis.tariffs),
    },
    content: ({ of, tariffs }) => ({ customerId: of === 'all' ? null : customerId, tariffs: readTariffsText(tariffs) }),
    saved: 'Prices saved',
    onSaved: onClose,
  })
  return (
    <FormModal title="Prices" size={440} onSubmit={submit} isBusy={isBusy} onClose={onClose}>
      <Select
        {...field('of')}
        data={[
          { value: 'customer', label: customerName },
          { value: 'all', label: 'Every customer without prices of its own' },
        ]}
        allowDeselect={false}
      />
      <Textarea
        {...field('tariffs')}
        rows={5}
        resize="vertical"
        description={`One a line: the first day, the price of a kWh and the currency, such as 2026-01-01: 0.2834 EUR${
          values.of === 'customer' ? '. Without any, the prices of every customer hold' : ''
        }`}
        data-autofocus
      />
    </FormModal>
  )
}

function PowerForm({ energy: { basis }, onClose }: FormProps) {
  const [modelId, setModelId] = useState(basis.panels[0]?.modelId ?? 0)
  const panel = basis.panels.find((one) => one.modelId === modelId)
  return (
    <PowerFields
      key={modelId}
      panel={panel}
      onClose={onClose}
      model={
        <Select
          label="Model"
          data={basis.panels.map((one) => ({ value: String(one.modelId), label: one.name }))}
          allowDeselect={false}
          value={String(modelId)}
          onChange={(chosen) => setModelId(Number(chosen))}
        />
      }
    />
  )
}

interface PowerProps {
  readonly panel: Energy['basis']['panels'][number] | undefined
  readonly model: ReactNode
  readonly onClose: () => void
}

const whole = (text: string) => (text.trim() === '' ? Number.NaN : Number(text))

function PowerFields({ panel, model, onClose }: PowerProps) {
  const { field, submit, isBusy } = useCallForm(setPanelPower, {
    labels: { full: 'At full level (W)', minimum: 'At the lowest level (W)', dark: 'Dark (W)' },
    initial: {
      full: panel?.isOwn ? String(panel.power.fullWatts) : '',
      minimum: panel?.isOwn ? String(panel.power.minimumWatts) : '',
      dark: panel?.isOwn ? String(panel.power.darkWatts) : '',
    },
    content: ({ full, minimum, dark }) => ({
      modelId: panel?.modelId ?? 0,
      power: [full, minimum, dark].every((text) => text.trim() === '')
        ? null
        : { fullWatts: whole(full), minimumWatts: whole(minimum), darkWatts: whole(dark) },
    }),
    saved: 'Power saved',
    onSaved: onClose,
  })
  return (
    <FormModal title="Power of displays" size={440} onSubmit={submit} isBusy={isBusy} onClose={onClose}>
      {model}
      <TextInput {...field('full')} inputMode="numeric" description="Leave all three empty for the usual figures" />
      <TextInput {...field('minimum')} inputMode="numeric" description="With light, at the lowest level" />
      <TextInput {...field('dark')} inputMode="numeric" description="Without light" />
    </FormModal>
  )
}

function FactorsForm({ energy: { basis }, onClose }: FormProps) {
  const { country, factors } = basis
  const { field, submit, isBusy } = useCallForm(setGridFactors, {
    labels: { factors: 'Grams a kWh by year' },
    initial: { factors: factorsText(factors.filter(({ isOwn }) => isOwn)) },
    content: ({ factors: text }) => ({ countryId: country?.id ?? 0, factors: readFactorsText(text) }),
    saved: 'CO₂ of electricity saved',
    onSaved: onClose,
  })
  const published = factors.filter(({ isOwn }) => !isOwn)
  return (
    <FormModal
      title={`CO₂ of electricity in ${country?.name ?? ''}`}
      size={520}
      onSubmit={submit}
      isBusy={isBusy}
      onClose={onClose}
    >
      <Textarea
        {...field('factors')}
        rows={5}
        resize="vertical"
        description="One a line: year, grams and source, such as 2026: 363 Umweltbundesamt. A year stands until the next one"
        data-autofocus
      />
      <p className="energy-published">
        {published.length === 0
          ? 'No published figure is known here.'
          : `Published: ${published.map(({ year, gramsPerKwh }) => `${year}: ${gramsPerKwh} g`).join(', ')}. What you set takes the place of the same year.`}
      </p>
    </FormModal>
  )
}
