import { useMemo, useState } from 'react'
import { useAddress } from '#console/router/useAddress.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { DAY_MS } from '#domain/units/time.ts'
import {
  readStatusAddress,
  recordsPeriodAt,
  type StatusAddress,
  type StatusView,
  unreadInStatus,
  writeStatusAddress,
} from './statusAddress.ts'

export type RecordsAddress = StatusAddress & { readonly period: Period }

export interface StatusAddressHook {
  readonly address: RecordsAddress
  /** It words the parts of the address that this page cannot read. */
  readonly unread: readonly string[]
  readonly open: (view: StatusView) => void
  readonly go: (changes: Partial<StatusAddress>, options?: { readonly replace?: boolean }) => void
}

export function useStatusAddress(): StatusAddressHook {
  const { given: search, change } = useAddress('/devices/$guid/status')
  const [openedAt] = useState(() => new Date())
  const address = useMemo(() => {
    const read = readStatusAddress(search)
    return { period: usualPeriod(read.view, openedAt), ...read }
  }, [search, openedAt])
  return {
    address,
    unread: unreadInStatus(search),
    // Entering the records fixes their period, so that Back and a copied link show the same again.
    open: (view) => {
      const period = readStatusAddress(search).period ?? usualPeriod(view, new Date())
      change(writeStatusAddress(view === 'dashboard' ? { view } : { view, period }))
    },
    go: (changes, options) => change(writeStatusAddress(changes), options),
  }
}

/** A timeline shows the last day; records are mostly searched for what just happened. */
const usualPeriod = (view: StatusView, now: Date): Period =>
  view === 'timeline' ? { from: new Date(now.getTime() - DAY_MS), to: now } : recordsPeriodAt(now)
