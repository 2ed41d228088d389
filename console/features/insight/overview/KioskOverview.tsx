import { type ReactNode, useEffect, useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { formatClock, useOnTime } from '#console/lib/time/time.ts'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { Logo } from '#console/ui/page/Logo.tsx'
import { useDocumentTitle } from '#console/ui/page/useDocumentTitle.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId } from '#domain/ids.ts'
import './kiosk.css'

const SHOWN_MS = 15_000

export interface KioskPage {
  readonly name: string
  readonly content: ReactNode
  readonly isUrgent?: boolean
}

interface Props {
  readonly customerId: CustomerId | undefined
  readonly top: ReactNode
  readonly pages: readonly KioskPage[]
}

export function KioskOverview({ customerId, top, pages }: Props) {
  useDocumentTitle('Overview')
  useAwakeScreen()
  const clock = useOnTime(formatClock)
  const whose = useCustomerName(customerId)
  const [index, setIndex] = useState(0)
  const page = pages[index % pages.length]
  const shownMs = page?.isUrgent ? 2 * SHOWN_MS : SHOWN_MS
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of each page begins with it
  useEffect(() => {
    const timer = setTimeout(() => setIndex((before) => (before + 1) % pages.length), shownMs)
    return () => clearTimeout(timer)
  }, [index, shownMs, pages.length])
  return (
    // Nothing here can be pressed, so nothing takes the focus either.
    <div className="kiosk" inert>
      <header className="kiosk-head">
        <Logo />
        <b>{whose}</b>
        <span>{page?.name}</span>
        <ol className="kiosk-dots" aria-hidden>
          {pages.map(({ name }, place) => (
            <li key={name} data-shown={place === index % pages.length || undefined} />
          ))}
        </ol>
        <time>{clock}</time>
      </header>
      {top}
      <div className="kiosk-page">{page?.content}</div>
    </div>
  )
}

/** The screen stays awake where the browser allows it. */
function useAwakeScreen() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    const hold = () => {
      if (document.visibilityState !== 'visible') return
      navigator.wakeLock?.request('screen').then(
        (held) => {
          lock = held
        },
        () => undefined,
      )
    }
    hold()
    // The browser releases the lock whenever the page is hidden.
    document.addEventListener('visibilitychange', hold)
    return () => {
      document.removeEventListener('visibilitychange', hold)
      void lock?.release()
    }
  }, [])
}

/** Users of a customer see only their own, which needs no name. */
function useCustomerName(customerId: CustomerId | undefined): string {
  const isCustomerUser = useIsCustomerUser()
  const known = useCall(listCustomers, {}, { freshMs: LOOKUP_FRESH_MS, enabled: !isCustomerUser })
  if (isCustomerUser) return 'Overview'
  if (customerId === undefined) return 'All customers'
  return known.data?.find(({ id }) => id === customerId)?.name ?? `Customer ${customerId}`
}
