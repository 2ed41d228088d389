import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import type { IncidentId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { STATE_GROUPS } from '../IncidentBadges.tsx'
import { CloseAll } from './CloseAll.tsx'
import { IncidentRows } from './IncidentRows.tsx'
import type { IncidentList } from './useIncidentList.ts'

interface Props {
  readonly list: IncidentList
  readonly shownId: IncidentId | undefined
  readonly onShow: ((id: IncidentId) => void) | undefined
  readonly isFolded: boolean
  readonly onFold: (isFolded: boolean) => void
}

/** What is active stands first; what is resolved and not closed is folded below, because it grows old. */
export function IncidentGroups({ list, shownId, onShow, isFolded, onFold }: Props) {
  const { rows, total, filter, resolved } = list
  const state = filter.state ?? 'active'
  const name = STATE_GROUPS[state]
  return (
    <>
      <GroupHead name={name} count={total ?? null}>
        {state === 'over' && <CloseAll incidents={rows} />}
      </GroupHead>
      {rows.length > 0 ? (
        <IncidentRows label={name} incidents={rows} shownId={shownId} onShow={onShow} />
      ) : (
        <p className="alert-none">{list.isFiltered ? 'None matches this filter.' : 'None'}</p>
      )}
      {resolved !== undefined && resolved.rows.length > 0 && (
        <ResolvedGroup
          incidents={resolved.rows}
          total={resolved.total}
          filter={filter}
          {...{ shownId, onShow, isFolded, onFold }}
        />
      )}
    </>
  )
}

interface HeadProps {
  readonly name: ReactNode
  /** Null means more than the server counts. */
  readonly count: number | null
  readonly children?: ReactNode
}

function GroupHead({ name, count, children }: HeadProps) {
  return (
    <header className="incident-group">
      <h2>{name}</h2>
      {count !== null && <span className="dim">{formatNumber(count)}</span>}
      {children}
    </header>
  )
}

interface ResolvedProps extends Omit<Props, 'list'> {
  readonly incidents: readonly Incident[]
  readonly total: number | null
  readonly filter: IncidentList['filter']
}

function ResolvedGroup({ incidents, total, filter, isFolded, onFold, ...shown }: ResolvedProps) {
  const Icon = isFolded ? IconChevronRight : IconChevronDown
  return (
    <>
      <GroupHead
        name={
          <button type="button" aria-expanded={!isFolded} onClick={() => onFold(!isFolded)}>
            <Icon size={16} aria-hidden /> {STATE_GROUPS.over}
          </button>
        }
        count={total}
      >
        <CloseAll incidents={incidents} />
      </GroupHead>
      {!isFolded && (
        <>
          <IncidentRows label={STATE_GROUPS.over} incidents={incidents} {...shown} />
          {total !== null && total > incidents.length && (
            <p className="alert-none">
              <Link to={address('/incidents', { ...filter, state: 'over' })}>Show all {formatNumber(total)}</Link>
            </p>
          )}
        </>
      )}
    </>
  )
}

/** The choice is kept while the list is open; a resolved one that the address names unfolds its group. */
export function useFold(hasShown: boolean) {
  const [isFolded, setFolded] = useState<boolean>()
  return [isFolded ?? !hasShown, setFolded] as const
}
