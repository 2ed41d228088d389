import { Textarea } from '@mantine/core'
import { IconCalendarX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { MomentField } from '#console/ui/form/MomentField.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { cancelVisit, listVisits, setVisit, type Visit } from '#contract/http/devices/visits.ts'
import type { IncidentId, UserId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'

interface Props {
  readonly device: Device
  /** The visit that is changed; `new` plans one. */
  readonly visit: number | 'new'
  readonly incidentId: IncidentId | undefined
  readonly onClose: () => void
}

type Values = {
  readonly technicianId: UserId | undefined
  readonly startDt: Date | undefined
  readonly endDt: Date | undefined
  readonly bring: string
}

const LABELS: Readonly<Record<keyof Values, string>> = {
  technicianId: 'Technician',
  startDt: 'From',
  endDt: 'To',
  bring: 'To bring',
}

/** Says who goes there, when and with what (rules/maintenance 5). */
export function PlanVisitModal({ device, visit, incidentId, onClose }: Props) {
  const visits = useCall(listVisits, { deviceId: device.id }, { enabled: visit !== 'new' })
  const saved = visits.data?.find(({ id, state }) => id === visit && state === 'planned')
  if (visit !== 'new' && saved === undefined) return null
  return <Form key={visit} {...{ device, saved, incidentId, onClose }} />
}

interface FormProps extends Pick<Props, 'device' | 'incidentId' | 'onClose'> {
  readonly saved: Visit | undefined
}

function Form({ device, saved, incidentId, onClose }: FormProps) {
  const { id: userId, username } = useUser()
  const [initial] = useState<Values>(() => valuesOf(saved, userId))
  const { confirm } = useConfirmedChange(cancelVisit)
  const { field, submit, isBusy } = useCallForm(setVisit, {
    labels: LABELS,
    initial,
    content: ({ technicianId, startDt, endDt, bring }: Values) => ({
      id: saved?.id ?? 0,
      deviceId: device.id,
      incidentId: saved?.incidentId ?? incidentId ?? null,
      technicianId,
      startDt: startDt?.toISOString(),
      endDt: endDt?.toISOString(),
      bring: bring.trim(),
    }),
    saved: 'The visit is planned.',
    onSaved: onClose,
  })
  return (
    <FormModal
      title={saved ? 'Change visit' : 'Plan a visit'}
      size={460}
      onClose={onClose}
      onSubmit={submit}
      isBusy={isBusy}
      aside={
        saved && (
          <ActionButton
            icon={IconCalendarX}
            onClick={() =>
              void confirm(
                { body: { id: saved.id } },
                {
                  title: 'Cancel visit',
                  text: `Cancel the visit to ${device.name}?`,
                  isDangerous: true,
                  done: onClose,
                },
              )
            }
          >
            Cancel this visit
          </ActionButton>
        )
      }
    >
      <UserPicker
        {...field('technicianId')}
        deviceId={device.id}
        chosenName={saved ? saved.technicianName : username}
      />
      <MomentField {...field('startDt')} name={LABELS.startDt} />
      <MomentField {...field('endDt')} name={LABELS.endDt} />
      <Textarea {...field('bring')} size="xs" rows={3} placeholder="Parts, tools, keys" />
    </FormModal>
  )
}

function valuesOf(saved: Visit | undefined, userId: number): Values {
  if (saved) {
    const { technicianId, startDt, endDt, bring } = saved
    return { technicianId: technicianId ?? undefined, startDt: new Date(startDt), endDt: new Date(endDt), bring }
  }
  const start = Math.ceil((Date.now() + HOUR_MS) / HOUR_MS) * HOUR_MS
  return { technicianId: userId as UserId, startDt: new Date(start), endDt: new Date(start + 2 * HOUR_MS), bring: '' }
}
