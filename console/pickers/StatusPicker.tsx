import { useCall } from '#console/lib/call/useCall.ts'
import { listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { LookupPicker, type PickerProps } from './LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

/** Every status a device can have, for filters. Setting one is another matter: Pending and Updating cannot be set. */
export function StatusPicker(props: PickerProps<number>) {
  const lookup = useCall(listDeviceStatuses, {}, { freshMs: LOOKUP_FRESH_MS })
  return <LookupPicker name="Status" lookup={lookup} {...props} />
}
