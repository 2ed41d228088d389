import { useCall } from '#console/lib/call/useCall.ts'
import { listDeviceStatuses } from '#contract/http/operation/lookups.ts'
import { LookupPicker, type PickerProps } from './LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

/** It offers every status for filters. Pending and Updating can be filtered, but not set. */
export function StatusPicker(props: PickerProps<number>) {
  const lookup = useCall(listDeviceStatuses, {}, { freshMs: LOOKUP_FRESH_MS })
  return <LookupPicker name="Status" lookup={lookup} {...props} />
}
