import { useEffect } from 'react'

const OVER_PAGE = '[role="dialog"], [role="menu"], [role="listbox"]'

/**
 * The focus returns to where it was on the page when something that lay over the page goes away and leaves the focus
 * nowhere. The kit does so itself for a dialog that the focused button opened, but not where the button was an entry of
 * a menu that is gone too, or where the dialog is drawn only while it is open.
 */
export function useKeptFocus() {
  useEffect(() => {
    let place: HTMLElement | undefined
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== document.body && !target.closest(OVER_PAGE)) place = target
    }
    const giveBack = () => {
      if (document.activeElement !== document.body || document.querySelector('[role="dialog"]')) return
      const isThere = place?.isConnected && place.getClientRects().length > 0
      ;(isThere ? place : document.getElementById('content'))?.focus({ preventScroll: true })
    }
    const watch = new MutationObserver((changes) => {
      const isGone = ({ removedNodes }: MutationRecord) =>
        [...removedNodes].some(
          (node) => node instanceof Element && (node.matches(OVER_PAGE) || node.querySelector(OVER_PAGE) !== null),
        )
      // The kit returns the focus itself 10 ms after a dialog began to close, so this waits longer.
      if (changes.some(isGone)) setTimeout(giveBack, 20)
    })
    document.addEventListener('focusin', remember)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      watch.disconnect()
    }
  }, [])
}
