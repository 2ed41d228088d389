import { IconHistory, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useLastVisit } from '#console/lib/session/lastVisit.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Age } from '#console/ui/Age.tsx'
import { Hint } from '#console/ui/plain/Hint.tsx'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'
import { MOST_COUNTED_ROWS } from '#contract/call/listOptions.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import { type AuditEntry, listAudit } from '#contract/http/insight/auditLog.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'

interface Props {
  readonly customerId: CustomerId | undefined
}

const HIDDEN = 'overview.since'
const FIRST_ROW = { rowNum: 1, pageSize: 1 } as const
/** The newest changes name who made them. */
const FIRST_CHANGES = { rowNum: 1, pageSize: 10 } as const

/** What happened between the user's visits, in one line; nothing where nothing did (rules/overview 14). */
export function SinceLastVisit({ customerId }: Props) {
  const since = useLastVisit()
  const [hidden, setHidden] = useState(() => readRemembered(HIDDEN).since)
  if (since === undefined || hidden === since) return null
  const hide = () => {
    remember(HIDDEN, { since })
    setHidden(since)
  }
  return <Since since={since} customerId={customerId} onHide={hide} />
}

function Since({ since, customerId, onHide }: Props & { readonly since: string; readonly onHide: () => void }) {
  const parts = useParts(since, customerId)
  if (parts.length === 0) return null
  return (
    <section className="since" aria-label="Since you were last here">
      <IconHistory size={16} aria-hidden />
      <p>
        Since you were last here, <Age at={since} />:
        {parts.map(({ key, link }) => (
          <span key={key}>{link}</span>
        ))}
      </p>
      <Hint label="Hide">
        <PlainIconButton aria-label="Hide what happened since you were last here" onClick={onHide}>
          <IconX size={14} aria-hidden />
        </PlainIconButton>
      </Hint>
    </section>
  )
}

/** The lists count themselves, so that a part says exactly what the list behind it has. */
function useParts(since: string, customerId: CustomerId | undefined) {
  const scope = customerId === undefined ? {} : { customerId }
  const options = { refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true }
  const opened = { state: 'active', newFrom: since, ...scope } as const
  const over = { state: 'over', overFrom: since, ...scope } as const
  // The audit log cannot be narrowed to a customer.
  const knowsChanges = useMay(listAudit.permission) && customerId === undefined
  const changed = { byOthers: true, dateFrom: since } as const
  const found = useCall(listIncidents, { ...opened, ...FIRST_ROW }, options).data
  const resolved = useCall(listIncidents, { ...over, ...FIRST_ROW }, options).data
  const asked = { ...changed, ...FIRST_CHANGES, folds: true }
  const changes = useCall(listAudit, asked, { ...options, enabled: knowsChanges }).data
  const parts: { readonly key: string; readonly link: ReactNode }[] = []
  if (found && found.total !== 0) {
    const text = countText(found.total, 'new incident')
    parts.push({ key: 'new', link: <Link to={address('/incidents', opened)}>{text}</Link> })
  }
  if (resolved && resolved.total !== 0) {
    const text = countText(resolved.total, 'resolved', 'resolved')
    parts.push({ key: 'resolved', link: <Link to={address('/incidents', over)}>{text}</Link> })
  }
  if (changes && !Array.isArray(changes) && changes.rows.length > 0) {
    const text = `${countText(changes.total, 'change')} by ${authorsOf(changes.rows, changes.total)}`
    parts.push({ key: 'changes', link: <Link to={address('/audit-log', changed)}>{text}</Link> })
  }
  return parts
}

const countText = (count: number | null, one: string, several = `${one}s`) =>
  count === null
    ? `more than ${formatNumber(MOST_COUNTED_ROWS)} ${several}`
    : `${formatNumber(count)} ${count === 1 ? one : several}`

/** Two are named; who made older changes is not read. */
function authorsOf(rows: readonly AuditEntry[], total: number | null): string {
  const names = [...new Set(rows.map(({ username }) => username))]
  const hasMore = names.length > 2 || total !== rows.length
  return hasMore ? `${names.slice(0, 2).join(', ')} and others` : names.join(' and ')
}
