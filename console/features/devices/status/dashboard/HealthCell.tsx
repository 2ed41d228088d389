import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useOnShownTime, useReadingAge, useShownMoment } from '#console/features/devices/status/view/shownMoment.ts'
import { formatDateTime, useOnTime } from '#console/lib/time/time.ts'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { formatDuration } from '#domain/units/durations.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { HealthFact } from './health.ts'
import { isStaleAt } from './tiles/tiles.ts'

interface Props {
  readonly name: string
  readonly icon: Icon
  /** It is undefined while it loads. */
  readonly fact: HealthFact | undefined
  readonly aside?: ReactNode
  readonly leads: Address | (() => void)
}

/** Each fact leads to its source. A good value that is out of date is not shown as good. */
export function HealthCell({ name, icon: Icon, fact, aside, leads }: Props) {
  const { readAt, tone = 'off' } = fact ?? {}
  const isMean = useShownMoment()?.meanOf !== undefined
  const isStale = useOnShownTime((now) => readAt !== undefined && !isMean && isStaleAt(readAt, now))
  const face = (
    <>
      <span className="health-name">
        <Icon size={14} aria-hidden />
        {name}
      </span>
      {fact ? (
        <>
          <b className="health-value">
            {fact.value}
            {fact.unit && <small>{fact.unit}</small>}
            {aside}
          </b>
          <span className="health-detail">
            {fact.detail}
            {readAt && isStale && <ReadingAge at={readAt} />}
          </span>
        </>
      ) : (
        <i className="health-loading" role="status" aria-label="Loading" />
      )}
    </>
  )
  const looks = {
    className: 'health-cell',
    'data-tone': isStale && tone === 'ok' ? 'off' : tone,
    title: fact?.more || undefined,
  }
  return typeof leads === 'string' ? (
    <Link {...looks} to={leads}>
      {face}
    </Link>
  ) : (
    <button {...looks} type="button" aria-haspopup="dialog" onClick={leads}>
      {face}
    </button>
  )
}

function ReadingAge({ at }: { readonly at: Date }) {
  const age = useReadingAge(at)
  return (
    <span className="health-age" title={formatDateTime(at)}>
      {age}
    </span>
  )
}

interface ForHowLongProps {
  readonly since: string
  /** The state may have begun before. */
  readonly isAtLeast: boolean
}

export function ForHowLong({ since, isAtLeast }: ForHowLongProps) {
  const length = useOnTime((now) => formatDuration(Math.max(0, now.getTime() - Date.parse(since)) / SECOND_MS))
  return `, ${isAtLeast ? 'at least ' : ''}${length}`
}
