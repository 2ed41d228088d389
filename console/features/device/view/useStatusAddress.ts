import { useMemo, useState } from 'react'
import { useAddress } from '#console/router/useAddress.ts'
import type { Period } from '#console/ui/filter/period.ts'
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
  /** What the address gave and this page cannot read, in words. */
  readonly unread: readonly string[]
  readonly open: (view: StatusView) => void
  readonly go: (changes: Partial<StatusAddress>, options?: { readonly replace?: boolean }) => void
}

/** View, field group, period and search of the status tab, as the address says. */
export function useStatusAddress(): StatusAddressHook {
  const { given: search, change } = useAddress('/devices/$guid/status')
  const [usual] = useState(() => recordsPeriodAt(new Date()))
  const address = useMemo(() => ({ period: usual, ...readStatusAddress(search) }), [search, usual])
  return {
    address,
    unread: unreadInStatus(search),
    // Entering the records fixes their period, so that Back and a copied link show the same again.
    open: (view) => {
      const period = readStatusAddress(search).period ?? recordsPeriodAt(new Date())
      change(writeStatusAddress(view === 'dashboard' ? { view } : { view, period }))
    },
    go: (changes, options) => change(writeStatusAddress(changes), options),
  }
}
