import { Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { type Panels, setLifeModel } from '#contract/http/insight/panelLife.ts'

interface Props extends Pick<Panels, 'models'> {
  readonly onClose: () => void
}

/** It sets how displays of a model age. Every display of it is counted by that at once. */
export function LifeModelModal({ models, onClose }: Props) {
  const [modelId, setModelId] = useState(models[0]?.modelId ?? 0)
  const model = models.find((one) => one.modelId === modelId)
  return (
    <LifeFields key={modelId} model={model} onClose={onClose}>
      <Select
        label="Model"
        data={models.map((one) => ({ value: String(one.modelId), label: one.name }))}
        allowDeselect={false}
        value={String(modelId)}
        onChange={(chosen) => setModelId(Number(chosen))}
      />
    </LifeFields>
  )
}

interface FieldsProps {
  readonly model: Panels['models'][number] | undefined
  readonly children: ReactNode
  readonly onClose: () => void
}

/** Text that is no number becomes one that the call refuses, which then names its field. */
const scaled = (text: string, scale = 1) => (text.trim() === '' ? Number.NaN : Math.round(Number(text) * scale))

function LifeFields({ model, children, onClose }: FieldsProps) {
  const life = model?.isOwn ? model.life : undefined
  const { field, submit, isBusy } = useCallForm(setLifeModel, {
    labels: {
      ...{ hours: 'Rated hours', celsius: 'Rated temperature (°C)' },
      ...{ exponent: 'Exponent of the level', activation: 'Activation energy (eV)' },
    },
    initial: {
      hours: life ? String(life.ratedHours) : '',
      celsius: life ? String(life.ratedCelsius) : '',
      exponent: life ? String(life.levelExponentHundredths / 100) : '',
      activation: life ? String(life.activationMillielectronvolts / 1000) : '',
    },
    content: ({ hours, celsius, exponent, activation }) => ({
      modelId: model?.modelId ?? 0,
      life:
        `${hours}${celsius}${exponent}${activation}`.trim() === ''
          ? null
          : {
              ...{ ratedHours: scaled(hours), ratedCelsius: scaled(celsius) },
              levelExponentHundredths: scaled(exponent, 100),
              activationMillielectronvolts: scaled(activation, 1000),
            },
    }),
    saved: 'Saved',
    onSaved: onClose,
  })
  return (
    <FormModal title="How models age" size={440} onSubmit={submit} isBusy={isBusy} onClose={onClose}>
      {children}
      <TextInput
        {...field('hours')}
        inputMode="numeric"
        description="Until 70 % of the light is left (L70). Leave all four empty for the usual figures"
      />
      <TextInput {...field('celsius')} inputMode="numeric" description="Within the display" />
      <TextInput {...field('exponent')} inputMode="decimal" description="Such as 1.5; 0 if the level does not matter" />
      <TextInput {...field('activation')} inputMode="decimal" description="Such as 0.4; 0 if heat does not matter" />
    </FormModal>
  )
}
