import { useCall } from '#console/lib/call/useCall.ts'
import { listDeviceModels } from '#contract/http/operation/lookups.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { LookupPicker, type PickerProps } from './LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

export function ModelPicker(props: PickerProps<DeviceModelId>) {
  const lookup = useCall(listDeviceModels, {}, { freshMs: LOOKUP_FRESH_MS })
  return <LookupPicker name="Model" lookup={lookup} {...props} />
}
