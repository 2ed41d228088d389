import { Checkbox, Group, TextInput } from '@mantine/core'
import { NumberInput, Select } from '#console/ui/kit/laterFields.ts'
import {
  CATEGORY,
  categoryOfModel,
  componentCategory,
  type LabelField,
  LONGEST_LABEL,
  networkPort,
  PORTS_PER_SWITCH,
  requiredLabels,
} from '#domain/components/componentFields.ts'
import { numbersInCategory } from '#domain/components/componentRules.ts'
import type { EditedComponent, PortMode } from '#domain/components/deviceComponent.ts'
import { PORT_MODES } from '#domain/components/deviceComponent.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { tidied } from '#domain/texts/nameRule.ts'
import { required } from '#domain/validation/messages.ts'
import { ButtonRules } from './ButtonRules.tsx'
import type { Edits } from './componentEdits.ts'

export interface ComponentFieldsProps {
  readonly component: EditedComponent
  /** All components of the device, among them sensors and touch screens to link displays to. */
  readonly components: Edits
  readonly deviceModelId: DeviceModelId
  readonly onChange: (change: Partial<EditedComponent>) => void
  readonly showsErrors?: boolean
}

const LABELS: Readonly<Record<LabelField, string>> = {
  label: 'Label',
  labelReset: 'Reset label',
  labelPort1: 'Port 1 label',
  labelPort2: 'Port 2 label',
}
/** No category has more than three (rules/components 3). */
const NUMBERS = { min: 1, max: 3 }

export function ComponentFields(props: ComponentFieldsProps) {
  const { component, onChange } = props
  const category = categoryOfModel(component.modelId)
  const hasPorts = category?.id === CATEGORY.networkRelay
  return (
    <div className="component-fields">
      <NumberInput
        label="Number"
        size="xs"
        withAsterisk
        allowDecimal={false}
        {...NUMBERS}
        clampBehavior="none"
        value={component.number}
        onChange={(number) => onChange({ number: Number(number) })}
      />
      <LabelInput {...props} field="label" />
      {requiredLabels(category?.id ?? 0).includes('labelReset') && <LabelInput {...props} field="labelReset" />}
      {category?.id === CATEGORY.networkSwitch && <UnusedPorts {...props} />}
      {hasPorts && (
        <>
          <LabelInput {...props} field="labelPort1" />
          <PortModeSelect {...props} port={1} />
          <LabelInput {...props} field="labelPort2" />
          <PortModeSelect {...props} port={2} />
        </>
      )}
      {category?.id === CATEGORY.display && (
        <>
          <LinkSelect {...props} link="als" label="Ambient sensor" categoryId={CATEGORY.ambientSensor} />
          <LinkSelect {...props} link="touchMatrix" label="Touch screen" categoryId={CATEGORY.touchScreen} />
          <TextInput
            label="Batch"
            maxLength={LONGEST_LABEL}
            value={component.batch ?? ''}
            onChange={({ currentTarget }) => onChange({ batch: currentTarget.value })}
          />
          <TextInput
            type="date"
            label="Installed on"
            value={component.installedOn ?? ''}
            onChange={({ currentTarget }) => onChange({ installedOn: currentTarget.value || null })}
          />
        </>
      )}
      {category?.id === CATEGORY.buttons && (
        <ButtonRules
          rules={component.jsonSettings ?? []}
          deviceModelId={props.deviceModelId}
          onChange={(jsonSettings) => onChange({ jsonSettings })}
        />
      )}
    </div>
  )
}

function LabelInput({
  component,
  onChange,
  showsErrors = true,
  field,
}: ComponentFieldsProps & { readonly field: LabelField }) {
  const isRequired = requiredLabels(categoryOfModel(component.modelId)?.id ?? 0).includes(field)
  const isMissing = isRequired && tidied(component[field]) === ''
  return (
    <TextInput
      label={LABELS[field]}
      withAsterisk={isRequired}
      maxLength={LONGEST_LABEL}
      value={component[field]}
      error={isMissing && showsErrors ? required(LABELS[field]) : undefined}
      onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
    />
  )
}

/** A port that is meant to have no network never counts as a fault, and its tile says so. */
function UnusedPorts({ component, onChange }: ComponentFieldsProps) {
  const ports = Array.from({ length: PORTS_PER_SWITCH }, (_, index) => index + 1)
  return (
    <Checkbox.Group
      label="Ports not in use"
      value={(component.unusedPorts ?? []).map(String)}
      onChange={(chosen) => onChange({ unusedPorts: chosen.map(Number).sort() })}
    >
      <Group mt={4}>
        {ports.map((port) => (
          <Checkbox
            key={port}
            size="xs"
            value={String(port)}
            label={`Network port ${networkPort(component.number, port)}`}
          />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function PortModeSelect({ component, onChange, port }: ComponentFieldsProps & { readonly port: 1 | 2 }) {
  const field = `optionPort${port}` as const
  return (
    <Select
      label={`Port ${port} option`}
      data={[...PORT_MODES]}
      allowDeselect={false}
      value={component[field] || 'FULL'}
      onChange={(mode) => onChange({ [field]: mode as PortMode })}
    />
  )
}

const NONE = 'none'

interface LinkProps extends ComponentFieldsProps {
  readonly link: 'als' | 'touchMatrix'
  readonly label: string
  readonly categoryId: number
}

/** It links a display to a sensor or touch screen. None is a choice, but a choice is required (rules/components 8). */
function LinkSelect({ component, components, onChange, showsErrors = true, link, label, categoryId }: LinkProps) {
  const fitted = numbersInCategory(components, categoryId)
  const maximum = componentCategory(categoryId)?.maximumNumber ?? 0
  const numbers = Array.from({ length: maximum }, (_, index) => index + 1)
  const value = component[link]
  return (
    <Select
      label={label}
      withAsterisk
      placeholder="Choose"
      allowDeselect={false}
      data={[
        { value: NONE, label: 'None' },
        ...numbers.map((number) => ({
          value: String(number),
          label: fitted.includes(number) ? String(number) : `${number} (not fitted)`,
        })),
      ]}
      value={value === undefined ? null : value === null ? NONE : String(value)}
      error={value === undefined && showsErrors ? required(label) : undefined}
      onChange={(chosen) => onChange({ [link]: chosen === NONE ? null : Number(chosen) })}
    />
  )
}
