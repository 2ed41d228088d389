import { Select } from '@mantine/core'
import { SubjectFilters } from '#console/pickers/SubjectFilters.tsx'
import type { useAddress } from '#console/router/useAddress.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { Month } from '#domain/statement/months.ts'
import { monthAfter } from '#domain/statement/months.ts'
import { monthText } from '#domain/statement/statementText.ts'

const OFFERED_MONTHS = 24

/** The month in UTC, so many months from now. */
export const thisMonth = (months: number): Month => monthAfter(new Date().toISOString().slice(0, 7), months)

interface Props {
  readonly values: ReturnType<typeof useAddress<'/light-statements'>>['values']
  readonly change: ReturnType<typeof useAddress<'/light-statements'>>['change']
  readonly month: Month
  readonly customerId: CustomerId | undefined
  readonly isLoading: boolean
  readonly onReload: () => void
}

/** A statement is of one customer and month; a tag, a place or a device narrow it. */
export function StatementFilters({ values, change, month, customerId, isLoading, onReload }: Props) {
  const narrow = (changes: Parameters<typeof change>[0]) => change({ ...changes, shown: undefined })
  return (
    <SubjectFilters
      {...{ values, customerId, isLoading, onReload }}
      change={narrow}
      onReset={() => narrow({ tag: undefined, place: undefined, deviceId: undefined, month: undefined })}
      period={
        <Select
          key="month"
          aria-label="Month"
          allowDeselect={false}
          data={Array.from({ length: OFFERED_MONTHS }, (_, index) => thisMonth(-index)).map((value) => ({
            ...{ value, label: monthText(value) },
          }))}
          value={month}
          onChange={(chosen) => narrow({ month: chosen ?? undefined })}
        />
      }
    />
  )
}
