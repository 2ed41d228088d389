import { lazyPart } from '#console/ui/lazyPart.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { DeviceSettingsView, TurnOffTimes } from '#contract/http/devices/setup.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import { DayPlanForm } from '../display/DayPlanForm.tsx'
import { DisplayForm } from '../display/DisplayForm.tsx'
import { TurnOffForm } from '../display/TurnOffForm.tsx'
import type { Readings } from '../read/readings.ts'
import type { DisplaySection, Numbered, SetupSections } from '../read/setupSections.ts'
import type { SectionForm } from '../section/useSectionForm.ts'
import { NumberedForms, type useChosenNumber } from './NumberedForms.tsx'
import type { ListedSection } from './setupList.ts'

const AmbientForm = lazyPart(() => import('../display/AmbientForm.tsx').then((part) => part.AmbientForm))
const BatteryTestForm = lazyPart(() => import('../recurring/BatteryTestForm.tsx').then((part) => part.BatteryTestForm))
const DataBudgetForm = lazyPart(() => import('../recurring/DataBudgetForm.tsx').then((part) => part.DataBudgetForm))
const power = () => import('../power/PowerPanels.tsx')
const NetworkSwitches = lazyPart(() => power().then((part) => part.NetworkSwitches))
const PowerSwitches = lazyPart(() => power().then((part) => part.PowerSwitches))
const Relays = lazyPart(() => power().then((part) => part.Relays))
const Routers = lazyPart(() => power().then((part) => part.Routers))
const Ups = lazyPart(() => power().then((part) => part.Ups))

interface SetupSectionProps {
  readonly section: ListedSection
  readonly sections: SetupSections
  readonly view: DeviceSettingsView
  readonly readings: Readings
  readonly displays: ReturnType<typeof useChosenNumber<DisplaySection>>
  readonly sensors: ReturnType<typeof useChosenNumber<Numbered>>
  readonly turnOff: SectionForm<TurnOffTimes>
  readonly dayPlan: SectionForm<DayPlan>
}

export function SetupSection({ section, sections, displays, sensors, turnOff, dayPlan, ...read }: SetupSectionProps) {
  const { view, readings } = read
  const { key, title } = section
  switch (key) {
    case 'display':
      return (
        <NumberedForms title={title} of={displays}>
          {(display) => <DisplayForm display={display} all={sections.displays} {...read} />}
        </NumberedForms>
      )
    case 'ambientSensor':
      return (
        <NumberedForms title={title} of={sensors}>
          {(sensor) => <AmbientForm sensor={sensor} all={sections.ambientSensors} {...read} />}
        </NumberedForms>
      )
    case 'turnOff':
      return (
        <Panel title={title}>
          <TurnOffForm view={view} form={turnOff} />
        </Panel>
      )
    case 'dayPlan':
      return (
        <Panel title={title}>
          <DayPlanForm view={view} form={dayPlan} />
        </Panel>
      )
    case 'batteryTest':
      return (
        <Panel title={title}>
          <BatteryTestForm view={view} />
        </Panel>
      )
    case 'dataBudget':
      return (
        <Panel title={title}>
          <DataBudgetForm {...read} />
        </Panel>
      )
    default:
      return <PowerSection section={section} sections={sections} readings={readings} />
  }
}

type PowerSectionProps = Pick<SetupSectionProps, 'section' | 'sections' | 'readings'>

function PowerSection({ section: { key, title }, sections, readings }: PowerSectionProps) {
  switch (key) {
    case 'ups':
      return (
        <Panel title={title}>
          <Ups readings={readings} />
        </Panel>
      )
    case 'networkSwitches':
      return (
        <Panel title={title} isPadded>
          <NetworkSwitches sections={sections.networkSwitches} />
        </Panel>
      )
    case 'powerSwitches':
      return (
        <Panel title={title} isPadded>
          <PowerSwitches sections={sections.powerSwitches} readings={readings} />
        </Panel>
      )
    case 'routers':
      return (
        <Panel title={title} isPadded>
          <Routers sections={sections.routers} readings={readings} />
        </Panel>
      )
    case 'relays':
      return (
        <Panel title={title} isPadded>
          <Relays sections={sections.relays} readings={readings} />
        </Panel>
      )
    default:
      return null
  }
}
