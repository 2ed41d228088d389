import type { Icon } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import type { ActionId } from './actions.ts'

/** What can be done on the page that is open, as its button does it: with the same question, and refused alike. */
export interface PaletteCommand {
  /** Decides who is offered it. */
  readonly actionId: ActionId
  /** Where a page has several of one kind; else the deed itself. It leads here from other pages. */
  readonly id?: string
  readonly label: string
  /** Dim, behind the label. */
  readonly detail?: string
  /** Also found by these. */
  readonly searchTerms?: string
  /** Found among these by who looks for it, and not shown before. */
  readonly among?: 'Views'
  readonly icon?: Icon
  /** Why it cannot be done now; undefined: it can. */
  readonly refused?: string | undefined
  readonly run: () => void
}

export const idOf = ({ actionId, id = actionId }: Pick<PaletteCommand, 'actionId' | 'id'>): string => id

/** A page that is being fetched, and what it asks the server first, may take so long. */
const AWAITED_FOR_MS = 15_000

const byOwner = new Map<object, readonly PaletteCommand[]>()
const listeners = new Set<() => void>()
let all: readonly PaletteCommand[] = []

function offer(owner: object, offers: readonly PaletteCommand[]) {
  if (offers.length > 0) byOwner.set(owner, offers)
  else byOwner.delete(owner)
  gather()
}

let holdingBack: HoldBack | undefined

interface HoldBack {
  readonly isHeld: (actionId: ActionId) => boolean
  readonly why: string
}

function gather() {
  const offered = [...byOwner.values()].flat()
  const held = holdingBack
  all = held ? offered.map((each) => (held.isHeld(each.actionId) ? { ...each, refused: held.why } : each)) : offered
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
export function usePaletteCommands(offers: readonly PaletteCommand[]) {
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
export const useAvailableCommands = (): readonly PaletteCommand[] => useSyncExternalStore(onChange, () => all)

/** Does it as soon as a page offers it, for who is on the way to that page. */
export function runWhenAvailable(id: string) {
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
