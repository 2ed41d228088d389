import { useEffect, useRef } from 'react'
import { PAGE_PERMISSIONS } from '#console/app/navigation/pagePermissions.ts'
import { authorityOf, useUser } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { focusFirstRow } from './focusFirstRow.ts'
import { findKeyAction, GO } from './keyTable.ts'
import { letterKeysAreOn } from './letterKeys.ts'

/** A second key that comes later counts as a first one. */
const SECOND_KEY_WITHIN_MS = 1_500
const OVER_PAGE = ['dialog', 'alertdialog', 'menu', 'listbox'].map((role) => `[role="${role}"]`).join()
const TYPED_INTO = 'input, textarea, select, [contenteditable]'

interface KeyHandlers {
  readonly search: () => void
  readonly keys: () => void
}

/** It runs the keys of the table on every page, but not while somebody types or while something lies over the page. */
export function useKeys({ search, keys }: KeyHandlers) {
  const navigate = useNavigate()
  const user = useUser()
  const before = useRef<{ readonly key: string; readonly atMs: number }>(undefined)

  const onKey = (event: KeyboardEvent) => {
    if (isSearchKey(event)) {
      event.preventDefault()
      // This key works in a field too, because it types nothing.
      if (!liesOverPage('dialog')) search()
      return
    }
    if (!isFree(event)) {
      before.current = undefined
      return
    }
    const last = before.current
    const isSecond = last !== undefined && event.timeStamp - last.atMs < SECOND_KEY_WITHIN_MS
    const action = findKeyAction(event.key, isSecond ? last.key : undefined)
    before.current = event.key === GO && !isSecond ? { key: GO, atMs: event.timeStamp } : undefined
    if (action === undefined) return
    event.preventDefault()
    if (action === 'keys') keys()
    else if (action === 'search') search()
    else if (action === 'filter') focusFilter(search)
    else if (isAllowed(PAGE_PERMISSIONS[action.goTo], authorityOf(user))) {
      navigate(address(action.goTo))
      focusFirstRow()
    }
  }
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}

const isSearchKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'

function isFree({ ctrlKey, metaKey, altKey, target, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || isComposing || !letterKeysAreOn()) return false
  const isTyped = target instanceof Element && target.closest(TYPED_INTO) !== null
  return !isTyped && !liesOverPage()
}

/** It returns whether an element of this role is shown or, without a role, one that handles keys itself. */
function liesOverPage(role?: string): boolean {
  const shown = [...document.querySelectorAll(role === undefined ? OVER_PAGE : `[role="${role}"]`)]
  return shown.some(
    (element) =>
      element.closest('[hidden], [aria-hidden="true"], [style*="display: none"]') === null && !fades(element),
  )
}

/** A dialog that was closed is still visible for a moment, but must not receive what is typed. */
const fades = (element: Element): boolean => element instanceof HTMLElement && element.style.opacity === '0'

function focusFilter(otherwise: () => void) {
  const fields = [
    ...document.querySelectorAll<HTMLInputElement>('.filter-bar input:not([type="hidden"], [type="radio"])'),
  ]
  // Words narrow a list further than a choice of few.
  const field = fields.find((one) => one.getAttribute('role') !== 'combobox') ?? fields[0]
  if (!field) return otherwise()
  field.focus()
  field.select()
}
