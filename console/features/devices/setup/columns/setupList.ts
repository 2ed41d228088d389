import {
  type Icon,
  IconBattery3,
  IconBolt,
  IconCalendarClock,
  IconChartDonut,
  IconDeviceTv,
  IconMoon,
  IconNetwork,
  IconRouter,
  IconSun,
  IconTestPipe,
  IconToggleRight,
} from '@tabler/icons-react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import type { SetupSections } from '../read/setupSections.ts'

type SectionKey =
  | 'display'
  | 'ambientSensor'
  | 'turnOff'
  | 'dayPlan'
  | 'batteryTest'
  | 'dataBudget'
  | 'ups'
  | 'networkSwitches'
  | 'powerSwitches'
  | 'routers'
  | 'relays'

export interface ListedSection {
  readonly key: SectionKey
  readonly title: string
  readonly group: 'Settings' | 'Power'
  readonly icon: Icon
  /** Addresses of single controls in it begin like this (`powerswitch-2-reset`). */
  readonly controls?: RegExp
  readonly isFitted: (sections: SetupSections) => boolean
}

const hasDisplays = ({ displays }: SetupSections) => displays.length > 0

/** What only sets values stands apart from what takes power away (rules/setup 14). */
const SECTIONS: readonly ListedSection[] = [
  {
    ...{ key: 'display', title: 'Display settings', group: 'Settings', icon: IconDeviceTv },
    ...{ controls: /^display-\d/, isFitted: hasDisplays },
  },
  {
    ...{ key: 'ambientSensor', title: 'Ambient light sensor', group: 'Settings', icon: IconSun },
    ...{ controls: /^sensor-\d/, isFitted: ({ ambientSensors }) => ambientSensors.length > 0 },
  },
  { key: 'turnOff', title: 'Turn display(s) off', group: 'Settings', icon: IconMoon, isFitted: hasDisplays },
  { key: 'dayPlan', title: 'Brightness by time', group: 'Settings', icon: IconCalendarClock, isFitted: hasDisplays },
  {
    ...{ key: 'batteryTest', title: 'Battery test', group: 'Settings', icon: IconTestPipe },
    isFitted: ({ hasUps }) => hasUps,
  },
  {
    ...{ key: 'dataBudget', title: 'Data budget', group: 'Settings', icon: IconChartDonut },
    isFitted: ({ networkSwitches }) => networkSwitches.length > 0,
  },
  {
    ...{ key: 'ups', title: 'UPS', group: 'Power', icon: IconBattery3 },
    ...{ controls: /^ups(group)?-/, isFitted: ({ hasUps }) => hasUps },
  },
  {
    ...{ key: 'networkSwitches', title: 'Network switches', group: 'Power', icon: IconNetwork },
    ...{ controls: /^networkswitch-\d/, isFitted: ({ networkSwitches }) => networkSwitches.length > 0 },
  },
  {
    ...{ key: 'powerSwitches', title: 'Power switches', group: 'Power', icon: IconBolt },
    ...{ controls: /^powerswitch-\d/, isFitted: ({ powerSwitches }) => powerSwitches.length > 0 },
  },
  {
    ...{ key: 'routers', title: 'Routers with relay', group: 'Power', icon: IconRouter },
    ...{ controls: /^router(relay)?-\d/, isFitted: ({ routers }) => routers.length > 0 },
  },
  {
    ...{ key: 'relays', title: 'Relays', group: 'Power', icon: IconToggleRight },
    ...{ controls: /^relay(port)?-\d/, isFitted: ({ relays }) => relays.length > 0 },
  },
]

export const listedSections = (sections: SetupSections): readonly ListedSection[] =>
  SECTIONS.filter(({ isFitted }) => isFitted(sections))

/** The section that an address names, by itself or by a control in it; the first one for any other address. */
export const sectionAt = (anchor: string, listed: readonly ListedSection[]): ListedSection | undefined =>
  listed.find(({ title }) => sectionAnchor(title) === anchor) ??
  listed.find(({ controls }) => controls?.test(anchor)) ??
  listed[0]
