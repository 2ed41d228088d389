import { Button, Select } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { wholeNumber } from '#console/router/addressFields.ts'
import { FilterBar } from '#console/ui/FilterBar.tsx'
import { FilterText } from '#console/ui/FilterText.tsx'
import type { AlertFilter } from '#contract/http/listWords.ts'
import {
  ALERT_STATUSES,
  type AlertStatusId,
  CONDITION_STATES,
  type ConditionStateId,
} from '#domain/alerts/alertWords.ts'
import type { AlertId } from '#domain/ids.ts'
import { type AlertListFilter, type AlertListFilterChange, statusInAddress, statusOf } from './alertListAddress.ts'

const FILTER_WORDS: Record<AlertFilter, string> = { last24h: 'Last 24 hours', opened: 'Opened' }
const ANY = 'any'

interface Props {
  readonly filter: AlertListFilter
  /** False on the page of a device. */
  readonly hasDevices: boolean
  readonly onChange: (change: AlertListFilterChange, options?: { readonly replace: boolean }) => void
  readonly onReload: () => void
  readonly onReset: () => void
  readonly isLoading: boolean
}

export function AlertFilterBar({ filter, hasDevices, onChange, onReload, onReset, isLoading }: Props) {
  const [resets, setResets] = useState(0)
  const reset = () => {
    // A text that was never asked for is no change of the filter, and would stay in its field.
    setResets(resets + 1)
    onReset()
  }
  return (
    <FilterBar onReload={onReload} onReset={reset} isLoading={isLoading}>
      {hasDevices && (
        <>
          <CustomerPicker
            placeholder="All customers"
            value={filter.customerId}
            onChange={(customerId) => onChange({ customerId })}
          />
          <DevicePicker
            placeholder="All devices"
            clearable
            value={filter.deviceId}
            onChange={(deviceId) => onChange({ deviceId })}
          />
        </>
      )}
      <StatusSelects filter={filter} onChange={onChange} />
      <FilterText
        key={`id ${resets}`}
        name="Alert id"
        value={filter.id === undefined ? '' : String(filter.id)}
        onChange={(text) => onChange({ id: wholeNumber(text, Number.MAX_SAFE_INTEGER) as AlertId | undefined })}
      />
      <FilterText
        key={`text ${resets}`}
        name="Alert text"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.alertText ?? ''}
        onChange={(text) =>
          // A text that is being typed on is one step of the history, not one for each pause.
          onChange({ alertText: text || undefined }, { replace: Boolean(filter.alertText) && text !== '' })
        }
      />
      {filter.filter && <FilterWord word={filter.filter} onRemove={() => onChange({ filter: undefined })} />}
    </FilterBar>
  )
}

function StatusSelects({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const status = statusOf(filter)
  const setStatus = (chosen: string | null) => {
    const wanted = chosen === null || chosen === ANY ? undefined : (Number(chosen) as AlertStatusId)
    onChange(statusInAddress(wanted, filter))
  }
  return (
    <>
      <Select
        aria-label="Alert status"
        data={[{ value: ANY, label: 'Any status' }, ...choicesOf(ALERT_STATUSES)]}
        value={status === undefined ? ANY : String(status)}
        onChange={setStatus}
        allowDeselect={false}
      />
      <Select
        aria-label="Condition state"
        placeholder="Condition state"
        clearable
        data={choicesOf(CONDITION_STATES)}
        value={filter.conditionStateId === undefined ? null : String(filter.conditionStateId)}
        onChange={(chosen) =>
          onChange({ conditionStateId: chosen === null ? undefined : (Number(chosen) as ConditionStateId) })
        }
      />
    </>
  )
}

const choicesOf = (names: readonly { readonly id: number; readonly name: string }[]) =>
  names.map(({ id, name }) => ({ value: String(id), label: name }))

/** The word of an overview tile, which can be taken away alone. */
function FilterWord({ word, onRemove }: { readonly word: AlertFilter; readonly onRemove: () => void }) {
  return (
    <Button
      variant="default"
      className="filter-word"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Remove filter: ${FILTER_WORDS[word]}`}
      onClick={onRemove}
    >
      {FILTER_WORDS[word]}
    </Button>
  )
}
