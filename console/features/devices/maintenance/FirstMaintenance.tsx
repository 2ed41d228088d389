import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { listMaintenanceElsewhere, type MaintenanceElsewhere } from '#contract/http/devices/maintenance.ts'
import type { DeviceId } from '#domain/ids.ts'

interface Props {
  readonly deviceId: DeviceId
  readonly mayWrite: boolean
}

/** An empty log shows the last entries of the customer's other devices as examples. */
export function FirstMaintenance({ deviceId, mayWrite }: Props) {
  const { data: visits = [] } = useCall(listMaintenanceElsewhere, { deviceId })
  return (
    <>
      <EmptyNote title={messages.noMaintenance}>{mayWrite && 'Record here what is done at this device.'}</EmptyNote>
      {visits.length > 0 && (
        <section className="maintenance-elsewhere" aria-labelledby="maintenance-elsewhere">
          <h3 id="maintenance-elsewhere">Last visits at other devices of the customer</h3>
          <ul>
            {visits.map((visit) => (
              <li key={visit.id}>
                <Visit visit={visit} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Visit({ visit }: { readonly visit: MaintenanceElsewhere }) {
  const { id, deviceGuid, deviceName, startDt, modelComponentName, reasonName, actionName, resolutionName } = visit
  const words = [modelComponentName, reasonName, actionName, resolutionName].filter(Boolean).join(' · ')
  return (
    <>
      <time dateTime={startDt}>{formatMinute(startDt)}</time>
      <Link to={address('/devices/$guid/maintenance', { guid: deviceGuid, entry: id })}>{deviceName}</Link>
      {words && <span className="is-dim">{words}</span>}
      <span className="maintenance-text">{visit.actionComment}</span>
    </>
  )
}
