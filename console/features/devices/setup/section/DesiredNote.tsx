import { type Icon, IconAlertCircle, IconClockPause, IconInfoCircle, IconPlugConnectedX } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { Age } from '#console/ui/Age.tsx'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import type { Readings } from '../read/readings.ts'
import { type SectionDifferences, sectionDifferences } from './differences.ts'

interface DesiredNoteProps {
  readonly section: SettingSection | undefined
  readonly readings: Readings
}

const LOOKS: Record<SectionDifferences['reason'], { readonly icon: Icon; readonly title: string }> = {
  offline: { icon: IconPlugConnectedX, title: `The device is offline. ${messages.queued}.` },
  waiting: { icon: IconClockPause, title: 'Sent, and not answered by the device yet.' },
  refused: { icon: IconAlertCircle, title: 'The device refused the last change.' },
  changedOnDevice: { icon: IconInfoCircle, title: 'The device reports other values than were set.' },
}

/** It compares the desired value with the device's, and says why they differ. It is absent while they agree. */
export function DesiredNote({ section, readings }: DesiredNoteProps) {
  const differences = sectionDifferences(section, readings)
  if (!section || !differences) return null
  const { reason, rows } = differences
  const { icon: Sign, title } = LOOKS[reason]
  return (
    <div className="desired-note" data-reason={reason} role="status">
      <p className="desired-note-title">
        <Sign size={16} aria-hidden />
        <span>{title}</span>
      </p>
      {reason === 'refused' && <Refusal section={section} />}
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Wanted</th>
              <th scope="col">On the device</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, wanted, present }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{wanted}</td>
                <td>{present}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {reason !== 'refused' && section.desiredAt && (
        <p className="desired-note-author">
          Set {section.desiredBy && <>by {section.desiredBy} </>}
          <Age at={section.desiredAt} />
        </p>
      )}
    </div>
  )
}

function Refusal({ section: { refusal } }: { readonly section: SettingSection }) {
  if (!refusal) return null
  return (
    <ul className="desired-note-words">
      {refusal.errors.map((words) => (
        <li key={words}>“{words}”</li>
      ))}
      <li className="desired-note-author">
        <Age at={refusal.at} />
      </li>
    </ul>
  )
}
