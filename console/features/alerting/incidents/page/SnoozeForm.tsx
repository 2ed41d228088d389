import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { MomentField } from '#console/ui/form/MomentField.tsx'
import { MOST_SNOOZE_DAYS, snoozeIncident } from '#contract/http/alerting/incidents.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { incidentMessages } from '../incidentLabels.ts'
import type { IncidentFormProps } from './AssignForm.tsx'

/** Nobody is notified of the incident before the chosen moment. */
export function SnoozeForm({ incident, onEnd }: IncidentFormProps) {
  const { field, submit, isBusy, failure } = useCallForm(snoozeIncident, {
    labels: { until: 'Until' },
    initial: { until: undefined as Date | undefined },
    content: ({ until }) => ({ id: incident.id, until: until?.toISOString() }),
    requires: ['until'],
    check: ({ until }) => ({ until: whyNot(until) }),
    keepsFailure: true,
    onSaved: onEnd,
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Snooze" onCancel={onEnd}>
      {failure && <FormNote kind="failed" text={failure} />}
      <MomentField {...field('until')} name="Until" isClearable data-autofocus />
    </ModalForm>
  )
}

function whyNot(until: Date | undefined): string | undefined {
  if (until === undefined) return undefined
  const aheadMs = until.getTime() - serverNowMs()
  if (aheadMs <= 0) return incidentMessages.snoozePast
  return aheadMs > MOST_SNOOZE_DAYS * DAY_MS ? `At most ${MOST_SNOOZE_DAYS} days ahead.` : undefined
}
