import type { Icon } from '@tabler/icons-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { Listeners } from '#console/lib/notice/Listeners.ts'
import type { ActionId } from './actions.ts'

/** The palette does what a button of the open page does, with the same question and the same refusals. */
export interface PaletteCommand {
  /** It decides who is offered the command. */
  readonly actionId: ActionId
  /** It distinguishes commands of one kind, and is the action itself otherwise. Other pages lead here by it. */
  readonly id?: string
  readonly label: string
  readonly detail?: string
  readonly searchTerms?: string
  /** The command appears in this group only when somebody searches for it. */
  readonly among?: 'Views'
  readonly icon?: Icon
  /** The reason why it cannot be done now; undefined if it can. */
  readonly refused?: string | undefined
  readonly run: () => void
}

export const idOf = ({ actionId, id = actionId }: Pick<PaletteCommand, 'actionId' | 'id'>): string => id

/** Loading a page, and the answers that it needs first, may take this long. */
const AWAITED_FOR_MS = 15_000

const byOwner = new Map<object, readonly PaletteCommand[]>()
const listeners = new Listeners()
let all: readonly PaletteCommand[] = []

function register(owner: object, commands: readonly PaletteCommand[]) {
  if (commands.length > 0) byOwner.set(owner, commands)
  else byOwner.delete(owner)
  gather()
}

let holdingBack: HoldBack | undefined

interface HoldBack {
  readonly isHeld: (actionId: ActionId) => boolean
  readonly why: string
}

function gather() {
  const registered = [...byOwner.values()].flat()
  const held = holdingBack
  all = held
    ? registered.map((each) => (held.isHeld(each.actionId) ? { ...each, refused: held.why } : each))
    : registered
  listeners.notify()
}

/** While the component is on the page, these actions are refused with this sentence, from buttons and palette alike. */
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

/** It offers these commands while the component is on the page: every button has its line in the palette. */
export function usePaletteCommands(commands: readonly PaletteCommand[]) {
  const owner = useRef({})
  useEffect(() => register(owner.current, commands))
  useEffect(() => {
    const me = owner.current
    return () => register(me, [])
  }, [])
}

export const useAvailableCommands = (): readonly PaletteCommand[] =>
  useSyncExternalStore(listeners.subscribe, () => all)

/** It runs a command as soon as a page offers it, for a user who is on the way to that page. */
export function runWhenAvailable(id: string) {
  const tryNow = () => {
    const found = all.find((each) => idOf(each) === id)
    if (!found) return
    stop()
    if (found.refused === undefined) found.run()
    else toasts.warning(found.refused)
  }
  const unsubscribe = listeners.subscribe(tryNow)
  const timer = setTimeout(unsubscribe, AWAITED_FOR_MS)
  const stop = () => {
    clearTimeout(timer)
    unsubscribe()
  }
  tryNow()
}
