import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { type DayPlan, isPlanned, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { isNumber, numberIn, type Readings, wireName } from '../read/readings.ts'
import type { SetupSections } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { changesIn, type Unsaved } from '../section/unsavedSections.ts'
import type { ListedSection } from './setupList.ts'

export interface SectionState {
  readonly text: string
  readonly kind: 'changed' | 'pending' | 'plain'
}

interface Known {
  readonly sections: SetupSections
  readonly view: DeviceSettingsView
  readonly readings: Readings
  readonly unsaved: Unsaved
}

const plain = (text: string): SectionState => ({ text, kind: 'plain' })
const NOTHING = plain('')

/** Returns what the list says at the right of a section; what is unsaved here goes over what the device owes. */
export function sectionState({ key }: ListedSection, known: Known): SectionState {
  const { view, unsaved } = known
  const changes = changesIn(unsaved, key)
  if (changes > 0) return { text: changes === 1 ? '1 change' : `${changes} changes`, kind: 'changed' }
  const ofKey = view.sections.filter(({ section }) => section === key)
  if (ofKey.some(({ reason }) => reason === 'offline' || reason === 'waiting')) {
    return { text: 'waiting for the device', kind: 'pending' }
  }
  if (ofKey.some(({ reason }) => reason === 'refused')) return { text: 'refused', kind: 'pending' }
  return plain(settingText(key, view) ?? powerText(key, known))
}

function settingText(key: ListedSection['key'], view: DeviceSettingsView): string | undefined {
  const desired = sectionOf(view, key, 1)?.desired
  switch (key) {
    case 'turnOff':
      return Object.values(desired ?? {}).some((time) => typeof time === 'string') ? '' : 'not set'
    case 'dayPlan':
      return isPlanned({ ...NO_DAY_PLAN, ...(desired as Partial<DayPlan> | null) }) ? '' : 'not set'
    case 'batteryTest':
      return desired?.schedule ? '' : 'never'
    case 'dataBudget':
      return desired?.budget ? '' : 'not set'
    default:
      return undefined
  }
}

function powerText(key: ListedSection['key'], { sections, readings }: Known): string {
  const on = (names: readonly [name: string, on: number][]) => {
    const states = names.map(([name, number]) => isNumber(readings, name, number))
    const count = states.filter(Boolean).length
    return states.includes(undefined) ? '' : count === names.length ? 'on' : `${count} of ${names.length} on`
  }
  switch (key) {
    case 'ups': {
      const charge = numberIn(readings, 'u_battery_charge')
      return charge === undefined ? '' : `${formatNumber(charge)} %`
    }
    case 'powerSwitches':
      return on(sections.powerSwitches.map(({ number }) => [wireName('power-switch', 1, `port${number}_status`), 1]))
    case 'routers':
      return on(sections.routers.map(({ number }) => [wireName('router-relay', number, 'relay_status'), 0]))
    case 'relays':
      return on(
        sections.relays.flatMap(({ number, ports }) =>
          ports.map(({ port }): [string, number] => [wireName('relay', number, `port${port}_status`), 1]),
        ),
      )
    default:
      return NOTHING.text
  }
}
