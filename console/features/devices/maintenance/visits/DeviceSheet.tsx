import { formatMinute } from '#console/lib/time/time.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { type DeviceComponent, listDeviceComponents } from '#contract/http/devices/components.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { listMaintenance } from '#contract/http/devices/maintenance.ts'
import { getFeedChain, type WireFeedChain } from '#contract/http/insight/feedChain.ts'
import { componentTitle } from '#domain/components/componentFields.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { useKeptCall } from './useKeptCall.ts'
import { VisitFact } from './VisitFact.tsx'

const LAST_ENTRIES = 5

/** What stands in front of the technician: parts, serial numbers, what feeds what, and what was done before. */
export function DeviceSheet({ device }: { readonly device: Device }) {
  const components = useKeptCall(listDeviceComponents, { deviceId: device.id })
  const entries = useKeptCall(listMaintenance, { deviceId: device.id })
  const wiring = useKeptCall(getFeedChain, { deviceId: device.id })
  return (
    <>
      <Panel title="Device" isPadded>
        <dl className="visit-facts">
          <VisitFact name="Customer" value={device.customerName} />
          <VisitFact name="Model" value={deviceModelName(device.modelId)} />
          <VisitFact name="Serial number" value={device.attrSerial} />
          <VisitFact name="Address" value={device.address} />
          <VisitFact name="Notes" value={device.description} />
        </dl>
        {device.latitude !== null && device.longitude !== null && (
          <a href={`geo:${device.latitude},${device.longitude}`}>Open its position in a map</a>
        )}
      </Panel>
      <Panel title="Components" isPadded>
        <ul className="visit-list">
          {(components.data ?? []).map((component) => (
            <li key={component.id}>
              <b>{componentTitle(component)}</b> {labelsOf(component)}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="What feeds what" isPadded>
        <ul className="visit-list">
          {feedersOf(wiring.data?.parts ?? []).map(([feeder, fed]) => (
            <li key={feeder}>
              <b>{feeder}</b> feeds {fed.join(', ')}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Maintenance before" isPadded>
        {entries.data?.length === 0 && <p className="is-dim">Nothing was written down yet.</p>}
        <ul className="visit-list">
          {(entries.data ?? []).slice(0, LAST_ENTRIES).map((entry) => (
            <li key={entry.id}>
              <b>{formatMinute(entry.startDt)}</b> {entry.actionComment}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  )
}

/** Each part that feeds others, with their names, from the mains on. */
const feedersOf = (parts: WireFeedChain['parts']) =>
  parts
    .map(({ key, name }) => [name, parts.filter(({ fedBy }) => fedBy === key).map((fed) => fed.name)] as const)
    .filter(([, fed]) => fed.length > 0)

/** The labels say what a component is, and what its ports feed. */
const labelsOf = ({ category, label, labelPort1, labelPort2 }: DeviceComponent) =>
  [label !== category && label, labelPort1 && `port 1: ${labelPort1}`, labelPort2 && `port 2: ${labelPort2}`]
    .filter(Boolean)
    .join(', ')
