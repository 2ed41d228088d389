import { useCall } from '#console/lib/call/useCall.ts'
import { LookupPicker, type LookupResult, type PickerProps } from '#console/pickers/LookupPicker.tsx'
import { listRoles } from '#contract/http/people/roles.ts'
import type { RoleId } from '#domain/ids.ts'

interface Props extends PickerProps<RoleId> {
  readonly present?: { readonly id: RoleId; readonly name: string } | undefined
  readonly disabled?: boolean
}

export function RolePicker({ present, ...props }: Props) {
  const roles = useCall(listRoles, {})
  const offered = roles.data ?? []
  const isOffered = present === undefined || offered.some(({ id }) => id === present.id)
  const data = isOffered ? offered : [present, ...offered]
  return <LookupPicker name="User role" lookup={{ ...roles, data } as unknown as LookupResult} {...props} />
}
