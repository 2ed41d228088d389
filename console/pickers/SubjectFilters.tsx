import type { ReactNode } from 'react'
import { FilterBar } from '#console/ui/filter/FilterBar.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { CustomerPicker } from './CustomerPicker.tsx'
import { DevicePicker } from './DevicePicker.tsx'

/** The devices of a customer as the address names them. */
export interface SubjectValues {
  readonly customerId?: CustomerId | undefined
  readonly tag?: string | undefined
  readonly place?: string | undefined
  readonly deviceId?: DeviceId | undefined
}

interface Props {
  readonly values: SubjectValues
  readonly customerId: CustomerId | undefined
  readonly change: (changes: SubjectValues) => void
  readonly onReset: () => void
  readonly isLoading: boolean
  readonly onReload: () => void
  /** What chooses the time. */
  readonly period?: ReactNode
}

/** What is told is of one customer; a tag, a place or a device narrow it. */
export function SubjectFilters({ values, customerId, change, onReset, isLoading, onReload, period }: Props) {
  const { tag, place, deviceId } = values
  return (
    <FilterBar
      {...{ isLoading, onReload, onReset }}
      chosenCount={[tag, place, deviceId].filter(Boolean).length}
      primary={[
        <CustomerPicker
          key="customer"
          placeholder="Customer"
          clearable={false}
          value={customerId}
          onChange={(chosen) => change({ customerId: chosen, deviceId: undefined })}
        />,
        ...(period ? [period] : []),
        <FilterText key="tag" name="Tag" value={tag ?? ''} onChange={(text) => change({ tag: text || undefined })} />,
        <FilterText
          key="place"
          name="Place"
          value={place ?? ''}
          onChange={(text) => change({ place: text || undefined })}
        />,
        <DevicePicker key="device" value={deviceId} onChange={(chosen) => change({ deviceId: chosen })} />,
      ]}
    />
  )
}
