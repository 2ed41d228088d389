import { useEffect, useRef } from 'react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useLocation } from '#console/router/Router.tsx'

/** Goes to the section that the address names (`#power-switches`), once its panel is drawn. */
export function useShownSection() {
  const { anchor } = useLocation()
  const panels = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (anchor === '') return
    const all = panels.current?.querySelectorAll<HTMLElement>('section[aria-label]') ?? []
    const shown = [...all].find((panel) => sectionAnchor(panel.ariaLabel ?? '') === anchor)
    if (!shown) return
    shown.tabIndex = -1
    shown.scrollIntoView({ block: 'start' })
    shown.focus({ preventScroll: true })
  }, [anchor])
  return panels
}
