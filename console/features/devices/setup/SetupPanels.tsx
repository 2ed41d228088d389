import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { SettingsNotTaken } from '#console/deviceParts/settings/SettingsNotTaken.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ConnectionNotice } from '#console/ui/ConnectionNotice.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { BatteryTestPanel } from './BatteryTestPanel.tsx'
import { DataBudgetPanel } from './DataBudgetPanel.tsx'
import { AmbientForm } from './display/AmbientForm.tsx'
import { DayPlanPanel } from './display/DayPlanPanel.tsx'
import { DisplayForm } from './display/DisplayForm.tsx'
import { TurnOffPanel } from './display/TurnOffPanel.tsx'
import { NumberedPanel } from './NumberedPanel.tsx'
import { powerPanels } from './power/PowerPanels.tsx'
import { OpenFeedChain, useReadFeedChain } from './read/feedChain.ts'
import { type Readings, readingsOf } from './read/readings.ts'
import type { SetupSections } from './read/setupSections.ts'
import { useSetup } from './read/useSetup.ts'
import { SetupCells } from './SetupCells.tsx'
import { UnsavedSections, useUnsavedSections } from './section/unsavedSections.ts'
import { useShownSection } from './useShownSection.ts'
import './setup.css'

interface SetupPanelsProps {
  readonly sections: SetupSections
}

export function SetupPanels({ sections }: SetupPanelsProps) {
  const device = useOpenDevice()
  const { state, settings, live } = useSetup(device)
  const chain = useReadFeedChain(device.id)
  return (
    <div className="setup-page">
      <ConnectionNotice device={device}>
        Settings will be applied when the device reconnects; power actions are never queued.
      </ConnectionNotice>
      <SettingsNotTaken device={device} />
      {device.statusId === DEVICE_STATUS.deactivated && (
        <p className="setup-deactivated" role="status">
          This device is deactivated and takes no commands.
        </p>
      )}
      <AsyncView query={state} skeleton={<LoadingPanels />}>
        {(record) => (
          <AsyncView query={settings} skeleton={<LoadingPanels />}>
            {(view) =>
              // Power actions wait for the wiring, so that their consequences are known.
              chain === undefined ? (
                <LoadingPanels />
              ) : (
                <OpenFeedChain value={chain}>
                  <Panels sections={sections} view={view} readings={readingsOf(record, live)} />
                </OpenFeedChain>
              )
            }
          </AsyncView>
        )}
      </AsyncView>
    </div>
  )
}

function LoadingPanels() {
  return (
    <div className="setup">
      <SetupCells
        settings={['display', 'ambient', 'off'].map((panel) => (
          <Panel key={panel}>
            <Skeleton />
          </Panel>
        ))}
        power={[]}
      />
    </div>
  )
}

interface PanelsProps extends SetupPanelsProps {
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

function Panels({ sections, view, readings }: PanelsProps) {
  const { displays, ambientSensors } = sections
  const panels = useShownSection()
  const reportUnsaved = useUnsavedSections()
  return (
    <UnsavedSections value={reportUnsaved}>
      <div className="setup" ref={panels}>
        <SetupCells
          settings={[
            displays.length > 0 && (
              <NumberedPanel key="display" title="Display settings" kind="Display" items={displays}>
                {(display) => <DisplayForm display={display} view={view} readings={readings} />}
              </NumberedPanel>
            ),
            ambientSensors.length > 0 && (
              <NumberedPanel key="ambient" title="Ambient light sensor" kind="Sensor" items={ambientSensors}>
                {(sensor) => <AmbientForm sensor={sensor} view={view} readings={readings} />}
              </NumberedPanel>
            ),
            displays.length > 0 && <TurnOffPanel key="off" view={view} />,
            displays.length > 0 && <DayPlanPanel key="plan" view={view} />,
            sections.hasUps && <BatteryTestPanel key="batteryTest" view={view} />,
            sections.networkSwitches.length > 0 && <DataBudgetPanel key="dataBudget" view={view} readings={readings} />,
          ]}
          power={powerPanels(sections, readings)}
        />
      </div>
    </UnsavedSections>
  )
}
