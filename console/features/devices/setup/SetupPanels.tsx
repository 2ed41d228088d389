import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { SettingsNotTaken } from '#console/deviceParts/settings/SettingsNotTaken.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ConnectionNotice } from '#console/ui/ConnectionNotice.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { SetupColumns } from './columns/SetupColumns.tsx'
import { OpenFeedChain, useReadFeedChain } from './read/feedChain.ts'
import { type Readings, readingsOf } from './read/readings.ts'
import type { SetupSections } from './read/setupSections.ts'
import { useSetup } from './read/useSetup.ts'
import { UnsavedSections, useUnsavedSections } from './section/unsavedSections.ts'
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
      <div className="setup-columns">
        {['list', 'section', 'aside'].map((column) => (
          <Panel key={column}>
            <Skeleton />
          </Panel>
        ))}
      </div>
    </div>
  )
}

interface PanelsProps extends SetupPanelsProps {
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

function Panels(props: PanelsProps) {
  const [unsaved, report] = useUnsavedSections()
  return (
    <UnsavedSections value={report}>
      <div className="setup">
        <SetupColumns {...props} unsaved={unsaved} />
      </div>
    </UnsavedSections>
  )
}
