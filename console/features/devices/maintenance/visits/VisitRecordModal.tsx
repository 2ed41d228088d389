import { Modal, Stack } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { getVisit, getVisitPhoto, type Visit, type VisitRecord } from '#contract/http/devices/visits.ts'

interface Props {
  readonly visit: Visit
  readonly onClose: () => void
}

/** What was checked, exchanged and photographed; what was done stands in the maintenance log. */
export function VisitRecordModal({ visit, onClose }: Props) {
  const record = useCall(getVisit, { id: visit.id })
  return (
    <Modal opened onClose={onClose} title={`Visit of ${formatMinute(visit.startDt)}`} size={640}>
      <AsyncView query={record}>{(read) => <Written record={read} />}</AsyncView>
    </Modal>
  )
}

function Written({ record: { id, technicianName, checklist, parts, photoKeys } }: { readonly record: VisitRecord }) {
  const textsOf = (isDone: boolean) =>
    checklist
      .filter((check) => check.isDone === isDone)
      .map(({ text }) => text)
      .join(', ') || 'nothing'
  return (
    <Stack gap="sm">
      <div>By {technicianName}</div>
      <div>Checked: {textsOf(true)}</div>
      <div className="is-dim">Not checked: {textsOf(false)}</div>
      {parts.map(({ name, oldSerialNumber, newSerialNumber }) => (
        <div key={`${name} ${newSerialNumber}`}>
          Exchanged: <b>{name}</b> {oldSerialNumber || '–'} → {newSerialNumber || '–'}
        </div>
      ))}
      {photoKeys.map(({ key, takenDt }) => (
        <Photo key={key} id={id} photoKey={key} takenDt={takenDt} />
      ))}
    </Stack>
  )
}

interface PhotoProps {
  readonly id: number
  readonly photoKey: string
  readonly takenDt: string
}

function Photo({ id, photoKey, takenDt }: PhotoProps) {
  const photo = useCall(getVisitPhoto, { id, key: photoKey }, { freshMs: Number.POSITIVE_INFINITY })
  return (
    <AsyncView query={photo}>
      {({ jpeg }) => (
        <img
          className="visit-photo"
          src={`data:image/jpeg;base64,${jpeg}`}
          alt={`Taken on site ${formatMinute(takenDt)}`}
        />
      )}
    </AsyncView>
  )
}
