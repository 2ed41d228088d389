import type { Icon } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import type { Deed } from './deeds.ts'

/** What can be done on the page that is open, as its button does it: with the same question, and refused alike. */
export interface Offer {
  /** Decides who is offered it. */
  readonly deed: Deed
  /** Where a page has several of one kind; else the deed itself. It leads here from other pages. */
  readonly id?: string
  readonly label: string
  /** Dim, behind the label. */
  readonly detail?: string
  /** Also found by these. */
  readonly otherWords?: string
  /** Found among these by who looks for it, and not shown before. */
  readonly among?: 'Views'
  readonly icon?: Icon
  /** Why it cannot be done now; undefined: it can. */
  readonly refused?: string | undefined
  readonly run: () => void
}

export const idOf = ({ deed, id = deed }: Pick<Offer, 'deed' | 'id'>): string => id

/** A page that is being fetched, and what it asks the server first, may take so long. */
const AWAITED_FOR_MS = 15_000

const byOwner = new Map<object, readonly Offer[]>()
const listeners = new Set<() => void>()
let all: readonly Offer[] = []

function offer(owner: object, offers: readonly Offer[]) {
  if (offers.length > 0) byOwner.set(owner, offers)
  else byOwner.delete(owner)
  gather()
}

let holdingBack: HoldBack | undefined

interface HoldBack {
  readonly isHeld: (deed: Deed) => boolean
  readonly why: string
}

function gather() {
  const offered = [...byOwner.values()].flat()
  const held = holdingBack
  all = held ? offered.map((each) => (held.isHeld(each.deed) ? { ...each, refused: held.why } : each)) : offered
  for (const tell of listeners) tell()
}

/** While the component is on the page, these deeds are refused with this sentence, whoever offers them. */
export function useHeldBack(why: string | undefined, isHeld: HoldBack['isHeld']) {
  useEffect(() => {
    if (why === undefined) return
    const mine = { why, isHeld }
    holdingBack = mine
    gather()
    return () => {
      if (holdingBack !== mine) return
      holdingBack = undefined
      gather()
    }
  }, [why, isHeld])
}

/** Offers these while the component is on the page: whatever has a button there has its line in the palette. */
export function useOffers(offers: readonly Offer[]) {
  const owner = useRef({})
  useEffect(() => offer(owner.current, offers))
  useEffect(() => {
    const me = owner.current
    return () => offer(me, [])
  }, [])
}

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the page offers now. */
export const useOffered = (): readonly Offer[] => useSyncExternalStore(onChange, () => all)

/** Does it as soon as a page offers it, for who is on the way to that page. */
export function doWhenOffered(id: string) {
  const tryNow = () => {
    const found = all.find((each) => idOf(each) === id)
    if (!found) return
    stop()
    if (found.refused === undefined) found.run()
    else toasts.warning(found.refused)
  }
  const unsubscribe = onChange(tryNow)
  const timer = setTimeout(unsubscribe, AWAITED_FOR_MS)
  const stop = () => {
    clearTimeout(timer)
    unsubscribe()
  }
  tryNow()
}
