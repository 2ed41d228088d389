import { Button, TextInput } from '@mantine/core'
import { NumberInput, Select } from '#console/ui/kit/laterFields.ts'
import { OPERATORS, type OperatorCode } from '#domain/alerts/operators.ts'
import { groupTitle, measurementName } from '#domain/catalogue/fieldId.ts'
import { measurementsOfModel } from '#domain/catalogue/measurements.ts'
import { BUTTON_COUNT, type ButtonRule, LONGEST_LOGICAL_NAME, newButtonRule } from '#domain/displays/buttonRules.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { LARGEST_INTEGER, SMALLEST_INTEGER } from '#domain/units/numbers.ts'
import { required } from '#domain/validation/messages.ts'

const OPERATOR_CHOICES = OPERATORS.map(({ code, sign, name }) => ({ value: code, label: `${sign} ${name}` }))
const WHOLE_NUMBER = { min: SMALLEST_INTEGER, max: LARGEST_INTEGER, allowDecimal: false }

interface Props {
  readonly rules: readonly ButtonRule[]
  readonly deviceModelId: DeviceModelId
  readonly onChange: (rules: readonly ButtonRule[]) => void
}

/** Each rule shows one value while a measurement meets its condition, and another otherwise (rules/setup 12). */
export function ButtonRules({ rules, deviceModelId, onChange }: Props) {
  const others = (number: number) => rules.filter((rule) => rule.number !== number)
  const set = (rule: ButtonRule) => onChange([...others(rule.number), rule].sort((a, b) => a.number - b.number))
  return (
    <ol className="button-rules" aria-label="Buttons">
      {Array.from({ length: BUTTON_COUNT }, (_, index) => index + 1).map((number) => (
        <ButtonItem
          key={number}
          rule={rules.find((rule) => rule.number === number) ?? newButtonRule(number)}
          deviceModelId={deviceModelId}
          onChange={set}
          onRemove={() => onChange(others(number))}
        />
      ))}
    </ol>
  )
}

interface ItemProps {
  readonly rule: ButtonRule
  readonly deviceModelId: DeviceModelId
  readonly onChange: (rule: ButtonRule) => void
  readonly onRemove: () => void
}

function ButtonItem({ rule, deviceModelId, onChange, onRemove }: ItemProps) {
  const { number, active } = rule
  return (
    <li className="button-rule" aria-label={`Button ${number}`} data-active={active || undefined}>
      <div className="button-rule-head">
        <b>Button {number}</b>
        {active ? (
          <Button variant="default" aria-label={`Remove the rule of button ${number}`} onClick={onRemove}>
            Remove
          </Button>
        ) : (
          <>
            <span className="dim">Not active</span>
            <Button
              variant="default"
              aria-label={`Set active: button ${number}`}
              onClick={() => onChange({ ...rule, active: true })}
            >
              Set active
            </Button>
          </>
        )}
      </div>
      {active && <RuleFields rule={rule} deviceModelId={deviceModelId} onChange={onChange} />}
    </li>
  )
}

function RuleFields({ rule, deviceModelId, onChange }: Omit<ItemProps, 'onRemove'>) {
  const change = (part: Partial<ButtonRule>) => onChange({ ...rule, ...part })
  const whole = (name: 'thenValue' | 'elseValue', label: string) => (
    <NumberInput
      label={label}
      size="xs"
      {...WHOLE_NUMBER}
      value={rule[name]}
      onChange={(value) => change({ [name]: Math.trunc(Number(value)) })}
    />
  )
  return (
    <div className="button-rule-fields">
      <TextInput
        label="Logical name"
        className="button-rule-name"
        maxLength={LONGEST_LOGICAL_NAME}
        value={rule.logicalName}
        onChange={({ currentTarget }) => change({ logicalName: currentTarget.value })}
      />
      <Select
        label="If measurement"
        className="button-rule-measurement"
        withAsterisk
        searchable
        data={measurementChoices(deviceModelId, rule.measurement)}
        nothingFoundMessage="Nothing found"
        value={rule.measurement === null ? null : String(rule.measurement)}
        error={rule.measurement === null ? required('Measurement') : undefined}
        onChange={(id) => change({ measurement: id === null ? null : Number(id) })}
      />
      <Select
        label="is"
        data={OPERATOR_CHOICES}
        allowDeselect={false}
        value={rule.operator}
        onChange={(code) => change({ operator: code as OperatorCode })}
      />
      <NumberInput
        label="value"
        size="xs"
        value={rule.conditionValue}
        onChange={(value) => change({ conditionValue: Number(value) })}
      />
      {whole('thenValue', 'then')}
      {whole('elseValue', 'else')}
    </div>
  )
}

/** Measurements are grouped as in analytics; one that this model no longer offers stays visible. */
function measurementChoices(deviceModelId: DeviceModelId, chosen: number | null) {
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const numbered of measurementsOfModel(deviceModelId)) {
    const group = groupTitle(numbered.groupName)
    const items = groups.get(group) ?? []
    groups.set(group, items)
    // The label includes the group, because the closed field shows nothing else.
    items.push({ value: String(numbered.id), label: `${group}: ${measurementName(numbered)}` })
  }
  const choices = [...groups].map(([group, items]) => ({ group, items }))
  const isOffered = chosen === null || choices.some(({ items }) => items.some(({ value }) => value === String(chosen)))
  return isOffered
    ? choices
    : [...choices, { group: 'Others', items: [{ value: String(chosen), label: `Measurement ${chosen}` }] }]
}
