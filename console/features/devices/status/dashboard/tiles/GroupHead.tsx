import { IconChevronDown, IconChevronRight, IconClockExclamation } from '@tabler/icons-react'
import { useOnShownTime, useReadingAge, useShownMoment } from '#console/features/devices/status/view/shownMoment.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { SeverityTone } from '#console/ui/severityLook.ts'
import type { StatusGroup } from './tileGroups.ts'
import { isStaleAt } from './tiles.ts'

interface Props {
  readonly group: StatusGroup
  readonly isOpen: boolean
  readonly onFold: () => void
  /** It says what a folded component holds. */
  readonly text: string
  readonly isOut: boolean
  /** It is absent while all is in range. */
  readonly tone: SeverityTone | undefined
}

export function GroupHead({ group: { name, anchor, readAt }, isOpen, onFold, text, isOut, tone }: Props) {
  const isStale = useOnShownTime((now) => readAt !== undefined && isStaleAt(readAt, now))
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  // Old values say nothing of now.
  const said = isOpen || (isStale && !isOut) ? '' : text
  return (
    <header className="status-group-head" data-severity={tone}>
      <h2 id={`${anchor}-name`}>
        <button type="button" aria-expanded={isOpen} onClick={onFold}>
          <Chevron size={14} aria-hidden />
          {name}
        </button>
      </h2>
      {said && (
        <span className="status-group-said" title={said}>
          {said}
        </span>
      )}
      <GroupAge readAt={readAt} isStale={isStale} />
    </header>
  )
}

function GroupAge({ readAt, isStale }: { readonly readAt: Date | undefined; readonly isStale: boolean }) {
  const shown = useShownMoment()
  const age = useReadingAge(readAt)
  if (readAt && shown?.meanOf) return <span className="status-group-age">{shown.meanOf}</span>
  if (!readAt) return <span className="status-group-age">{shown ? 'Not known at that time' : 'No reading yet'}</span>
  return (
    <span className="status-group-age" data-stale={isStale || undefined} title={formatDateTime(readAt)}>
      {isStale && <IconClockExclamation size={12} role="img" aria-label="Old values" />}
      {age}
    </span>
  )
}
