import { useEffect, useRef } from 'react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useLocation } from '#console/router/Router.tsx'

/** It scrolls to the section (`#power-switches`) or control (`#powerswitch-2`) that the address names. */
export function useShownSection() {
  const { anchor } = useLocation()
  const panels = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (anchor === '') return undefined
    const all = panels.current?.querySelectorAll<HTMLElement>('section[aria-label]') ?? []
    const control = [...(panels.current?.querySelectorAll<HTMLElement>('[data-control]') ?? [])].find(
      ({ dataset }) => sectionAnchor(dataset.control ?? '') === anchor,
    )
    if (control) return mark(control)
    const shown = [...all].find((panel) => sectionAnchor(panel.ariaLabel ?? '') === anchor)
    if (!shown) return undefined
    shown.tabIndex = -1
    shown.scrollIntoView({ block: 'start' })
    shown.focus({ preventScroll: true })
    return undefined
  }, [anchor])
  return panels
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
