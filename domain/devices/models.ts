import type { DeviceModelId } from '../ids.ts'

const model = (id: number, name: string) => ({ id: id as DeviceModelId, name })

/** Models 1, 15, 16 and 22 have rules of their own (rules/devices 1). */
export const DEVICE_MODELS = [
  model(1, 'Totem ALT-1920'),
  model(2, 'Totem ALT-1920 Slim'),
  model(8, 'Bus shelter panel 55'),
  model(15, 'Info kiosk, three displays'),
  model(16, 'AED kiosk, three displays'),
  model(22, 'Totem SP-4096'),
] as const

/** Model 1 is set up by fixed sections, every other by its components (rules/setup 1). */
export const hasFixedSetup = (modelId: DeviceModelId): boolean => modelId === 1

export const AED_KIOSK_MODEL_ID = 16 as DeviceModelId
export const MULTI_DISPLAY_MODEL_IDS: readonly number[] = [15, 16]

const TOTEM_GROUPS = ['Device', 'Display', 'Ups']
const KIOSK_GROUPS = ['Yocto buttons', 'Device', 'Display', 'Display 2', 'Display 3', 'Camera', 'Camera 2']

/** A model that is not listed offers every group (rules/analytics 1). */
export const METRIC_GROUPS_BY_MODEL: ReadonlyMap<number, readonly string[]> = new Map([
  [1, TOTEM_GROUPS],
  [22, TOTEM_GROUPS],
  [15, KIOSK_GROUPS],
  [16, KIOSK_GROUPS],
])

export function deviceModelName(modelId: number): string {
  return DEVICE_MODELS.find(({ id }) => id === modelId)?.name ?? `Model ${modelId}`
}
