import { hasFixedSetup } from '#domain/devices/models.ts'
import type { DeviceModelId } from '#domain/ids.ts'

/** The tabs of a device in their order (P1 §2); Setup is another for model 1, Components are for admins. */
export function deviceTabsOf(modelId: DeviceModelId, mayEditComponents: boolean) {
  return [
    { label: 'Details', to: '/devices/$guid/details' },
    { label: 'Setup', to: hasFixedSetup(modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup' },
    { label: 'Status', to: '/devices/$guid/status' },
    ...(mayEditComponents ? [{ label: 'Components', to: '/devices/$guid/device-components' } as const] : []),
    { label: 'Alerts', to: '/devices/$guid/alerts' },
    { label: 'Maintenance', to: '/devices/$guid/maintenance' },
  ] as const
}
