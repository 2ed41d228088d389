import { Modal } from '@mantine/core'
import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { type AlertCondition, listAlertConditions } from '#contract/http/alerting/thresholds.ts'
import { countOfDevices, ownerText } from './condition/conditionOwner.ts'

interface Props {
  readonly base: AlertCondition
  readonly onClose: () => void
}

export function OverridesModal({ base, onClose }: Props) {
  const overrides = useCall(listAlertConditions, { overridesId: base.id })
  return (
    <Modal opened onClose={onClose} title="Overrides" size={640}>
      <p className="condition-note">
        “{base.conditionText}” of {ownerText(base)} has these overrides:
      </p>
      <AsyncView query={overrides} empty={<EmptyNote title="No overrides any more" />}>
        {(rows) => (
          <ul className="condition-overrides" aria-label="Overrides">
            {rows.map((one) => (
              <li key={one.id}>
                <b>{ownerText(one)}</b>
                <span className="dim">{countOfDevices(one.deviceCount)}</span>
                <span className="condition-override">
                  {one.isOff ? (
                    'Switched off'
                  ) : (
                    <>
                      <SeverityBadge severityId={one.severityId} /> {one.conditionText}
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </AsyncView>
    </Modal>
  )
}
