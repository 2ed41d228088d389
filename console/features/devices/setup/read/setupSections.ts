import type { DeviceComponent } from '#contract/http/devices/components.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'

export interface DisplaySection {
  readonly number: number
  /** The operators' label, empty if there is none. */
  readonly label: string
  readonly sensorNumber: number | undefined
  /** A touch screen counts if it is linked to the display, fitted, or reported by the device itself. */
  readonly hasTouchScreen: boolean
}

export interface Numbered {
  readonly number: number
  readonly label: string
}

/** A section without a label is named by its kind and number, such as `Router 2`. */
export const nameOfSection = (kind: string, { number, label }: Numbered): string => label || `${kind} ${number}`

export interface SwitchSection extends Numbered {
  readonly resetLabel: string
}

export interface PortSection {
  readonly port: 1 | 2
  readonly label: string
  /** A port in mode RESET can only be reset (rules/commands 9). */
  readonly canSwitch: boolean
}

export interface RouterSection extends SwitchSection {
  readonly portLabels: readonly string[]
}

export interface RelaySection extends SwitchSection {
  readonly ports: readonly PortSection[]
}

export interface SetupSections {
  readonly displays: readonly DisplaySection[]
  readonly ambientSensors: readonly Numbered[]
  readonly hasUps: boolean
  readonly networkSwitches: readonly SwitchSection[]
  readonly powerSwitches: readonly Numbered[]
  readonly routers: readonly RouterSection[]
  readonly relays: readonly RelaySection[]
}

/** Model 1 has these whatever its components say (rules/setup 1). */
export const FIXED_SECTIONS: SetupSections = {
  displays: [{ number: 1, label: '', sensorNumber: 1, hasTouchScreen: true }],
  ambientSensors: [{ number: 1, label: '' }],
  hasUps: true,
  networkSwitches: [
    { number: 1, label: '', resetLabel: '' },
    { number: 2, label: '', resetLabel: '' },
  ],
  powerSwitches: [
    { number: 1, label: 'Equipment LCD + PC' },
    { number: 2, label: 'Beaglebone' },
  ],
  routers: [],
  relays: [],
}

export function sectionsOf(components: readonly DeviceComponent[]): SetupSections {
  const of = (categoryId: number) =>
    components
      .filter((component) => component.categoryId === categoryId && !component.removed)
      .sort((a, b) => a.number - b.number)
  const displays = of(CATEGORY.display)
  const linkedTouchScreens = new Set(displays.map(({ touchMatrix }) => touchMatrix))
  const looseTouchScreens = of(CATEGORY.touchScreen).filter(({ number }) => !linkedTouchScreens.has(number))
  return {
    displays: displays.map(({ number, label, als, touchMatrix }) => ({
      number,
      label,
      sensorNumber: als ?? undefined,
      hasTouchScreen: touchMatrix !== null || looseTouchScreens.some((screen) => screen.number === number),
    })),
    ambientSensors: of(CATEGORY.ambientSensor).map(({ number, label }) => ({ number, label })),
    hasUps: of(CATEGORY.ups).length > 0,
    networkSwitches: of(CATEGORY.networkSwitch).map(switchOf),
    powerSwitches: [],
    routers: of(CATEGORY.routerWithRelay).map((component) => ({
      ...switchOf(component),
      portLabels: [component.labelPort1 || 'Port 1', component.labelPort2 || 'Port 2'],
    })),
    relays: of(CATEGORY.networkRelay).map((component) => ({
      ...switchOf(component),
      ports: [
        // A port that nobody has restricted can be switched and reset.
        { port: 1, label: component.labelPort1 || 'Port 1', canSwitch: component.optionPort1 !== 'RESET' },
        { port: 2, label: component.labelPort2 || 'Port 2', canSwitch: component.optionPort2 !== 'RESET' },
      ],
    })),
  }
}

const switchOf = ({ number, label, labelReset }: DeviceComponent): SwitchSection => ({
  number,
  label,
  resetLabel: labelReset,
})
