import { Modal, Stack } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatMinute, formatTime } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { getVisit, getVisitPhoto, type Visit, type VisitRecord } from '#contract/http/devices/visits.ts'
import { formatDuration } from '#domain/units/durations.ts'
import { VisitFact } from './VisitFact.tsx'
import './visits.css'

interface Props {
  readonly visit: Visit
  readonly onClose: () => void
}

/** What was checked, exchanged and photographed; what was done stands in the maintenance log. */
export function VisitRecordModal({ visit, onClose }: Props) {
  const record = useCall(getVisit, { id: visit.id })
  return (
    <Modal opened onClose={onClose} title={`Visit of ${formatMinute(visit.startDt)}`} size={640}>
      <Stack gap="lg">
        <dl className="visit-facts">
          <VisitFact name="Technician" value={visit.technicianName} />
          <VisitFact name="On site" value={timesOf(visit)} />
          {visit.bring && <VisitFact name="To bring" value={visit.bring} />}
        </dl>
        <AsyncView query={record}>{(read) => <Written record={read} />}</AsyncView>
      </Stack>
    </Modal>
  )
}

function timesOf({ startDt, endDt }: Visit): string {
  const seconds = Math.round((Date.parse(endDt) - Date.parse(startDt)) / 1000)
  return `${formatTime(startDt)} – ${formatTime(endDt)} (${formatDuration(seconds)})`
}

function Written({ record: { id, checklist, parts, photoKeys } }: { readonly record: VisitRecord }) {
  const isEmpty = checklist.length + parts.length + photoKeys.length === 0
  if (isEmpty) return <p className="visit-nothing">No checklist, parts or photos.</p>
  return (
    <Stack gap="lg">
      <Section title="Checklist" isThere={checklist.length > 0}>
        <ul className="visit-checked">
          {checklist.map(({ text, isDone }) => (
            <li key={text} className={isDone ? undefined : 'is-dim'}>
              {isDone ? (
                <IconCheck size={16} role="img" aria-label="Checked" />
              ) : (
                <IconMinus size={16} role="img" aria-label="Not checked" />
              )}
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Exchanged parts" isThere={parts.length > 0}>
        <ul className="visit-exchanged">
          {parts.map(({ name, oldSerialNumber, newSerialNumber }) => (
            <li key={`${name} ${newSerialNumber}`}>
              <b>{name}</b>
              <span className="is-dim">
                {oldSerialNumber || 'unknown'} → {newSerialNumber || 'unknown'}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Photos" isThere={photoKeys.length > 0}>
        <div className="visit-taken">
          {photoKeys.map(({ key, takenDt }) => (
            <Photo key={key} id={id} photoKey={key} takenDt={takenDt} />
          ))}
        </div>
      </Section>
    </Stack>
  )
}

interface SectionProps {
  readonly title: string
  readonly isThere: boolean
  readonly children: ReactNode
}

const Section = ({ title, isThere, children }: SectionProps) =>
  isThere ? (
    <section className="visit-section">
      <h3>{title}</h3>
      {children}
    </section>
  ) : null

interface PhotoProps {
  readonly id: number
  readonly photoKey: string
  readonly takenDt: string
}

/** It keeps its place while it comes. A click saves it, because browsers open no picture that is part of a page. */
function Photo({ id, photoKey, takenDt }: PhotoProps) {
  const photo = useCall(getVisitPhoto, { id, key: photoKey }, { freshMs: Number.POSITIVE_INFINITY })
  return (
    <figure>
      <div className="visit-photo">
        <AsyncView query={photo}>
          {({ jpeg }) => (
            <a href={`data:image/jpeg;base64,${jpeg}`} download={`visit-${id}-${photoKey}.jpg`} title="Save photo">
              <img src={`data:image/jpeg;base64,${jpeg}`} alt={`Taken on site ${formatMinute(takenDt)}`} />
            </a>
          )}
        </AsyncView>
      </div>
      <figcaption className="is-dim">{formatTime(takenDt)}</figcaption>
    </figure>
  )
}
