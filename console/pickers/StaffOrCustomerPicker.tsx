import type { CustomerId } from '#domain/ids.ts'
import { CustomerPicker } from './CustomerPicker.tsx'

interface Props {
  readonly value: number | undefined
  readonly onChange: (value: CustomerId | undefined) => void
}

/** It chooses whose a new record is, where staff have such records too. */
export function StaffOrCustomerPicker({ value, onChange }: Props) {
  return (
    <CustomerPicker
      label="Customer"
      description="Leave empty for staff"
      placeholder="Staff"
      value={value as CustomerId | undefined}
      onChange={onChange}
    />
  )
}
