import { hasFixedSetup } from '#domain/devices/models.ts'
import type { DeviceModelId } from '#domain/ids.ts'

/** The tabs stand in the order of rules/devices 4; Setup differs for model 1 and by the permission to set. */
export function deviceTabsOf(
  modelId: DeviceModelId | undefined,
  may: { readonly set: boolean; readonly editComponents: boolean },
) {
  const setup =
    modelId === undefined || hasFixedSetup(modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup'
  return [
    { label: 'Details', to: '/devices/$guid/details' },
    ...(may.set ? [{ label: 'Setup', to: setup } as const] : []),
    { label: 'Status', to: '/devices/$guid/status' },
    ...(may.editComponents ? [{ label: 'Components', to: '/devices/$guid/device-components' } as const] : []),
    { label: 'Alerts', to: '/devices/$guid/alerts' },
    { label: 'Maintenance', to: '/devices/$guid/maintenance' },
  ] as const
}
