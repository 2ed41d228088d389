import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconClockEdit,
  IconEyeOff,
  IconUserCheck,
} from '@tabler/icons-react'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { AlertDetails } from '#contract/http/alert.ts'

type Kind = AlertDetails['history'][number]['kind']

const KINDS: Record<Kind, { readonly words: string; readonly icon: Icon; readonly tone: string }> = {
  opened: { words: 'Opened', icon: IconAlertTriangle, tone: 'crit' },
  active: { words: 'Met again', icon: IconAlertTriangle, tone: 'crit' },
  notActive: { words: 'No longer met', icon: IconCircleDashed, tone: 'off' },
  acknowledged: { words: 'Acknowledged', icon: IconUserCheck, tone: 'brand' },
  closed: { words: 'Closed', icon: IconCircleCheck, tone: 'ok' },
  moved: { words: 'Moved by late readings', icon: IconClockEdit, tone: 'pending' },
  withdrawn: { words: 'Withdrawn by late readings', icon: IconEyeOff, tone: 'pending' },
}

/** What happened to an alert and what was done about it. */
export function AlertHistory({ alert: { history } }: { readonly alert: AlertDetails }) {
  return (
    <ol className="alert-history">
      {history.map((entry) => {
        const { words, icon: Icon, tone } = KINDS[entry.kind]
        return (
          <li key={`${entry.kind} ${entry.at}`}>
            <span className={`badge badge-${tone}`}>
              <Icon size={15} aria-hidden />
              {words}
            </span>
            <time dateTime={entry.at} className="dim">
              {formatDateTime(entry.at)}
            </time>
            {entry.username && <span className="dim">by {entry.username}</span>}
            {entry.text && <p className="alert-words">{entry.text}</p>}
          </li>
        )
      })}
    </ol>
  )
}
