import { useEffect, useRef } from 'react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useLocation } from '#console/router/Router.tsx'

/** It marks the control that the address names (`#powerswitch-2`), in the section that is shown for it. */
export function useShownControl() {
  const { anchor } = useLocation()
  const columns = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = columns
    if (current === null || anchor === '') return
    let unmark = () => {}
    const look = () => {
      const controls = [...current.querySelectorAll<HTMLElement>('[data-control]')]
      const named = controls.find(({ dataset }) => sectionAnchor(dataset.control ?? '') === anchor)
      if (!named) return
      coming.disconnect()
      unmark = mark(named)
    }
    // The section of the control may still be loading.
    const coming = new MutationObserver(look)
    coming.observe(current, { childList: true, subtree: true })
    look()
    return () => {
      coming.disconnect()
      unmark()
    }
  }, [anchor])
  return columns
}

function mark(control: HTMLElement): () => void {
  control.dataset.marked = ''
  control.scrollIntoView({ block: 'center' })
  const focused = control.matches('button') ? control : control.querySelector<HTMLElement>('button')
  focused?.focus({ preventScroll: true })
  const unmark = () => delete control.dataset.marked
  control.addEventListener('focusout', unmark, { once: true })
  return () => {
    control.removeEventListener('focusout', unmark)
    unmark()
  }
}
