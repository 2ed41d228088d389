import { useEffect, useRef } from 'react'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { useNavigate } from '#console/router/Router.tsx'
import type { IncidentId } from '#domain/ids.ts'

interface Keys {
  /** All that can be shown, in their order on the screen. */
  readonly ids: readonly IncidentId[]
  readonly shownId: IncidentId | undefined
  readonly onShow: ((id: IncidentId) => void) | undefined
}

/** j and k, or the arrows, show the next and the one before, and Enter opens the page of the one that is shown. */
export function useIncidentKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  const navigate = useNavigate()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { ids, shownId, onShow } = latest.current
      if (!onShow || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isElsewhere(event.target)) return
      if (event.key === 'Enter' && shownId !== undefined && !isOnLink(event.target))
        return navigate(incidentPage(shownId))
      const step = { j: 1, k: -1, ...(isInList(event.target) && { ArrowDown: 1, ArrowUp: -1 }) }[event.key]
      const next = step === undefined ? undefined : ids[ids.findIndex((id) => id === shownId) + step]
      if (next === undefined) return
      event.preventDefault()
      onShow(next)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [navigate])
}

/** Keys pressed in a field, on a button or in a dialog belong to it. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, button, [role="dialog"], [role="menu"], [contenteditable]') !== null

/** The arrows scroll what is shown beside the list, and charts read their values by them. */
const isInList = (target: EventTarget | null): boolean =>
  target instanceof Element && (target.matches('body, main') || target.closest('.incidents-groups') !== null)

/** A link that is focused is opened by Enter, whatever is shown. */
const isOnLink = (target: EventTarget | null): boolean => target instanceof Element && target.closest('a') !== null
