import { IconClockExclamation } from '@tabler/icons-react'
import { useOnShownTime, useReadingAge, useShownMoment } from '#console/features/devices/status/view/shownMoment.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import type { StatusGroup } from './tileGroups.ts'
import { isStaleAt } from './tiles.ts'

interface Props {
  readonly id: string
  readonly group: StatusGroup
}

export function GroupHead({ id, group: { name, readAt } }: Props) {
  const shown = useShownMoment()
  const age = useReadingAge(readAt)
  const isStale = useOnShownTime((now) => readAt !== undefined && isStaleAt(readAt, now))
  return (
    <header className="status-group-head">
      <h2 id={id}>{name}</h2>
      {readAt && shown?.meanOf ? (
        <span>{shown.meanOf}</span>
      ) : readAt ? (
        <span data-stale={isStale || undefined} title={formatDateTime(readAt)}>
          {isStale && <IconClockExclamation size={12} role="img" aria-label="Old values" />}
          {age}
        </span>
      ) : (
        <span>{shown ? 'Not known at that time' : 'No reading yet'}</span>
      )}
    </header>
  )
}
