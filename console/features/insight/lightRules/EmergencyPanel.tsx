import { IconPlayerStop } from '@tabler/icons-react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatClock, formatMinute } from '#console/lib/time/time.ts'
import { endEmergency } from '#console/pickers/emergency/endEmergency.ts'
import { reachText } from '#console/pickers/emergency/reachText.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import {
  type EmergencyDark,
  type EmergencyProof,
  endEmergencyDark,
  getEmergencyProof,
  listEmergencyDark,
} from '#contract/http/insight/emergencyDark.ts'
import { formatNumber } from '#domain/units/numbers.ts'

/** Emergencies that are over stay as long as their devices may still be on the way back. */
const MOST_OVER = 2

export function EmergencyPanel() {
  const { data = [] } = useCall(listEmergencyDark, {}, { refreshEveryMs: REFRESH_EVERY_MS.closely })
  const lasting = data.filter(({ endedAt }) => endedAt === null)
  const over = data.filter(({ endedAt }) => endedAt !== null).slice(0, MOST_OVER)
  if (data.length === 0) return null
  return (
    <Panel title="Emergency dark" isPadded>
      <ul className="light-rules-emergencies">
        {[...lasting, ...over].map((one) => (
          <Emergency key={one.id} emergency={one} />
        ))}
      </ul>
    </Panel>
  )
}

function Emergency({ emergency }: { readonly emergency: EmergencyDark }) {
  const { id, subject, reason, startedBy, startedAt, until, endedAt, endedBy, mayEnd } = emergency
  const isOver = endedAt !== null
  const { data: proof } = useCall(
    getEmergencyProof,
    { id },
    {
      refreshEveryMs: (told) =>
        isOver && told?.restored === told?.devices ? REFRESH_EVERY_MS.byTheMinute : REFRESH_EVERY_MS.ofOutcome,
    },
  )
  const isAllowed = useMay(endEmergencyDark.permission)
  return (
    <li data-over={isOver || undefined}>
      <div className="light-rules-emergency">
        <strong>{subject}</strong>
        <span>
          {isOver
            ? `Ended ${formatMinute(endedAt)}${endedBy ? ` by ${endedBy}` : ', at its time'}`
            : `Until ${formatClock(until)}`}
          {` · ${reason} · started ${formatMinute(startedAt)} by ${startedBy}`}
        </span>
        {!isOver && mayEnd && isAllowed && (
          <ActionButton icon={IconPlayerStop} onClick={() => void endEmergency(emergency)}>
            End now
          </ActionButton>
        )}
      </div>
      {proof && <ProofLine proof={proof} isOver={isOver} />}
    </li>
  )
}

function ProofLine({ proof, isOver }: { readonly proof: EmergencyProof; readonly isOver: boolean }) {
  const { devices, dark, lit, unknown, restored, open } = proof
  if (isOver) {
    return (
      <p>
        {formatNumber(restored)} of {formatNumber(devices)} devices have their off times back.
      </p>
    )
  }
  return (
    <>
      <p role="status">
        {reachText(proof)} <strong>{formatNumber(dark)} proven dark</strong>, {formatNumber(lit)} still lit,{' '}
        {formatNumber(unknown)} unknown.
      </p>
      {open.length > 0 && (
        <p className="light-rules-open">
          Not proven dark:{' '}
          {open.slice(0, 10).map(({ deviceId, guid, name, proof: of }, index) => (
            <span key={deviceId}>
              {index > 0 && ', '}
              <Link to={address('/devices/$guid/status', { guid })}>{name}</Link> ({of === 'lit' ? 'lit' : 'unknown'})
            </span>
          ))}
          {open.length > 10 && ` and ${formatNumber(open.length - 10)} more`}
        </p>
      )}
    </>
  )
}
