import { ActionIcon, SegmentedControl, Select, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import type { AnswerOf } from '#contract/call/call.ts'
import { listConditionFields } from '#contract/http/alertConditions.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import { groupTitle } from '#domain/catalogue/fieldId.ts'
import type { ConditionOwner, ThresholdsAddress, ThresholdsChange } from './useThresholdsAddress.ts'
import '#console/ui/filter/FilterBar.css'

interface Props {
  readonly address: ThresholdsAddress
  readonly owner: ConditionOwner | undefined
  readonly mayUseModels: boolean
  readonly onChange: (change: ThresholdsChange) => void
  readonly onReload?: () => void
  readonly isLoading?: boolean
}

const MODES = [
  { value: 'device', label: 'Device' },
  { value: 'model', label: 'Model' },
]

/** Whose conditions, and of which group of fields. */
export function ThresholdsFilterBar({ address, owner, mayUseModels, onChange, onReload, isLoading = false }: Props) {
  return (
    <search className="filter-bar">
      {mayUseModels && (
        <SegmentedControl
          size="xs"
          aria-label="Conditions of"
          data={MODES}
          value={address.mode}
          onChange={(mode) => onChange({ mode: mode === 'model' ? mode : undefined, fieldGroupId: undefined })}
        />
      )}
      {address.mode === 'model' ? (
        <ModelPicker
          placeholder="Choose a model"
          value={address.modelId}
          onChange={(modelId) => onChange({ modelId, fieldGroupId: undefined })}
        />
      ) : (
        <DevicePicker
          placeholder="Choose a device"
          value={address.deviceId}
          onChange={(deviceId) => onChange({ deviceId, fieldGroupId: undefined })}
        />
      )}
      {owner && (
        <FieldGroupSelect
          owner={owner}
          value={address.fieldGroupId}
          onChange={(id) => onChange({ fieldGroupId: id })}
        />
      )}
      {onReload && (
        <Tooltip label="Reload">
          <ActionIcon variant="default" size={30} aria-label="Reload" loading={isLoading} onClick={onReload}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </search>
  )
}

interface FieldGroupProps {
  readonly owner: ConditionOwner
  readonly value: number | undefined
  readonly onChange: (fieldGroupId: number | undefined) => void
}

function FieldGroupSelect({ owner, value, onChange }: FieldGroupProps) {
  const fields = useCall(listConditionFields, owner)
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

/** Each event type once; one that the address asks for is offered as well. */
function groupsOf(fields: AnswerOf<typeof listConditionFields>, asked: number | undefined) {
  const ids = new Set([...fields.map(({ groupId }) => groupId), ...(asked === undefined ? [] : [asked])])
  return [...ids].map((id) => ({
    value: String(id),
    label: groupTitle(eventTypeById(id)?.group ?? `Field group ${id}`),
  }))
}
