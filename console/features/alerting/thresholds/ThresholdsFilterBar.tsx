import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { Autocomplete, Select } from '#console/ui/kit/laterFields.ts'
import type { AnswerOf } from '#contract/call/call.ts'
import { listConditionFields } from '#contract/http/alerting/thresholds.ts'
import { listDeviceTags } from '#contract/http/devices/details.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import { groupTitle } from '#domain/catalogue/fieldId.ts'
import { isTag, LONGEST_TAG } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { type ConditionOwner, fieldsAskedOf } from './condition/conditionOwner.ts'
import {
  STAFF_MODES,
  type ThresholdsAddress,
  type ThresholdsChange,
  type ThresholdsMode,
} from './useThresholdsAddress.ts'
import '#console/ui/filter/FilterBar.css'

interface Props {
  readonly address: ThresholdsAddress
  readonly owner: ConditionOwner | undefined
  readonly isStaff: boolean
  readonly onChange: (change: ThresholdsChange) => void
  readonly onReload?: () => void
  readonly isLoading?: boolean
}

export interface ModeChoice {
  readonly value: ThresholdsMode
  readonly label: string
}

const MODES: readonly ModeChoice[] = [
  { value: 'all', label: 'All devices' },
  { value: 'device', label: 'Device' },
  { value: 'model', label: 'Model' },
  { value: 'customer', label: 'Customer' },
  { value: 'tag', label: 'Tag' },
]

export const modesFor = (isStaff: boolean): readonly ModeChoice[] =>
  MODES.filter(({ value }) => isStaff || !STAFF_MODES.includes(value))

export function ThresholdsFilterBar({ address, owner, isStaff, onChange, onReload, isLoading = false }: Props) {
  const { mode } = address
  return (
    <search className="filter-bar">
      <div className="filter-row">
        <SegmentedControl
          size="xs"
          aria-label="Conditions of"
          data={[...modesFor(isStaff)]}
          value={mode}
          onChange={(chosen) => onChange({ mode: chosen as ThresholdsMode, fieldGroupId: undefined })}
        />
        <OwnerPickers address={address} onChange={onChange} />
        {owner && !('allDevices' in owner) && (
          <FieldGroupSelect
            owner={owner}
            value={address.fieldGroupId}
            onChange={(id) => onChange({ fieldGroupId: id })}
          />
        )}
      </div>
      <div className="filter-bar-buttons">
        {onReload && <IconButton icon={IconRefresh} tip="Reload" hasFrame loading={isLoading} onClick={onReload} />}
      </div>
    </search>
  )
}

export function OwnerPickers({ address, onChange }: Pick<Props, 'address' | 'onChange'>) {
  const { mode, deviceId, modelId, customerId, tag } = address
  const isOfTag = mode === 'tag'
  if (mode === 'all') return null
  if (mode === 'model')
    return (
      <ModelPicker
        placeholder="Choose a model"
        value={modelId}
        onChange={(id) => onChange({ modelId: id, fieldGroupId: undefined })}
      />
    )
  if (mode === 'device')
    return (
      <DevicePicker
        placeholder="Choose a device"
        value={deviceId}
        onChange={(id) => onChange({ deviceId: id, fieldGroupId: undefined })}
      />
    )
  return (
    <>
      {isOfTag && <TagPicker customerId={customerId} value={tag} onChange={(chosen) => onChange({ tag: chosen })} />}
      <CustomerPicker
        placeholder={isOfTag ? 'All customers' : 'Choose a customer'}
        value={customerId}
        onChange={(id) => onChange({ customerId: id, fieldGroupId: undefined })}
      />
    </>
  )
}

interface TagPickerProps {
  readonly customerId: CustomerId | undefined
  readonly value: string | undefined
  readonly onChange: (tag: string | undefined) => void
}

const QUIET_MS = 200

function TagPicker({ customerId, value, onChange }: TagPickerProps) {
  const [typed, setTyped] = useState(value ?? '')
  const [search] = useDebouncedValue(typed.trim(), QUIET_MS)
  const used = useCall(
    listDeviceTags,
    { ...(customerId === undefined ? {} : { customerId }), ...(search === '' ? {} : { search }) },
    { keepsPrevious: true, freshMs: LOOKUP_FRESH_MS },
  )
  const choose = (text: string) => onChange(isTag(text.trim()) ? text.trim() : undefined)
  return (
    <Autocomplete
      size="xs"
      aria-label="Tag"
      placeholder="Choose a tag"
      data={(used.data ?? []).map((one) => one.tag)}
      // The server already filtered them, and matches more letters than a comparison here would.
      filter={({ options }) => options}
      maxLength={LONGEST_TAG}
      maxDropdownHeight={320}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={choose}
      onBlur={() => choose(typed)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') choose(typed)
      }}
    />
  )
}

interface FieldGroupProps {
  readonly owner: ConditionOwner
  readonly value: number | undefined
  readonly onChange: (fieldGroupId: number | undefined) => void
}

function FieldGroupSelect({ owner, value, onChange }: FieldGroupProps) {
  const fields = useCall(listConditionFields, fieldsAskedOf(owner))
  return (
    <Select
      aria-label="Field group"
      placeholder="All field groups"
      clearable
      data={groupsOf(fields.data ?? [], value)}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}

function groupsOf(fields: AnswerOf<typeof listConditionFields>, asked: number | undefined) {
  const ids = new Set([...fields.map(({ groupId }) => groupId), ...(asked === undefined ? [] : [asked])])
  return [...ids].map((id) => ({
    value: String(id),
    label: groupTitle(eventTypeById(id)?.group ?? `Field group ${id}`),
  }))
}
