import {
  type Icon,
  IconActivity,
  IconBattery3,
  IconBoxMultiple,
  IconBrightnessUp,
  IconBulb,
  IconCamera,
  IconCircuitSwitchOpen,
  IconClock,
  IconContrast,
  IconCpu,
  IconDatabase,
  IconDeviceDesktop,
  IconDoor,
  IconDroplet,
  IconHandClick,
  IconHandFinger,
  IconNetwork,
  IconPalette,
  IconPlug,
  IconPropeller,
  IconTag,
  IconTemperature,
  IconWaveSine,
  IconWifi,
} from '@tabler/icons-react'
import type { FieldIcon } from '#domain/catalogue/field.ts'

const ICONS: Record<FieldIcon, Icon> = {
  battery: IconBattery3,
  brightness: IconBrightnessUp,
  button: IconHandClick,
  camera: IconCamera,
  clock: IconClock,
  color: IconPalette,
  contrast: IconContrast,
  cpu: IconCpu,
  disk: IconDatabase,
  door: IconDoor,
  fan: IconPropeller,
  humidity: IconDroplet,
  light: IconBulb,
  memory: IconBoxMultiple,
  network: IconNetwork,
  plug: IconPlug,
  relay: IconCircuitSwitchOpen,
  signal: IconWifi,
  source: IconDeviceDesktop,
  temperature: IconTemperature,
  touch: IconHandFinger,
  version: IconTag,
  voltage: IconWaveSine,
}

/** An icon of a newer server becomes the neutral one. */
export function tileIcon(word: string): Icon {
  return Object.hasOwn(ICONS, word) ? ICONS[word as FieldIcon] : IconActivity
}
