import type { RouterHistory } from '@tanstack/history'
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'

type Scrolled = Record<string, readonly [left: number, top: number]>

const KEPT_AS = 'wayside.scroll'
const PAGE = ''

/** Positions are kept by step of the history, so that Back and a reload return to them. */
const kept: Record<string, Scrolled> = readKept()

function readKept(): Record<string, Scrolled> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '{}')
  } catch {
    return {}
  }
}

/** A new page begins at its top or its anchor; a page that somebody comes back to is where it was left. */
export function useScrollMemory(history: RouterHistory) {
  useEffect(() => {
    const scrolled = new Set<EventTarget>()
    let { key = '' } = history.location.state
    const keep = () => {
      kept[key] = { ...kept[key], ...Object.fromEntries([...scrolled].map(entryOf)) }
      scrolled.clear()
    }
    const onScroll = ({ target }: Event) => target && scrolled.add(target)
    const onLeave = () => {
      window.history.scrollRestoration = 'auto'
      keep()
      sessionStorage.setItem(KEPT_AS, JSON.stringify(kept))
    }
    const onReturn = () => {
      window.history.scrollRestoration = 'manual'
    }
    onReturn()
    document.addEventListener('scroll', onScroll, true)
    window.addEventListener('pagehide', onLeave)
    window.addEventListener('pageshow', onReturn)
    const stop = history.subscribe(({ location }) => {
      keep()
      key = location.state.key ?? ''
    })
    return () => {
      stop()
      document.removeEventListener('scroll', onScroll, true)
      window.removeEventListener('pagehide', onLeave)
      window.removeEventListener('pageshow', onReturn)
    }
  }, [history])

  const { state, hash } = useSyncExternalStore(history.subscribe, () => history.location)
  useLayoutEffect(() => {
    const there = kept[state.key ?? '']
    for (const [place, [left, top]] of Object.entries(there ?? {})) {
      if (place !== PAGE) document.querySelector(place)?.scrollTo(left, top)
    }
    const [left, top] = there?.[PAGE] ?? [0, 0]
    if (there?.[PAGE] === undefined && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
    else window.scrollTo(left, top)
  }, [state.key, hash])
}

function entryOf(target: EventTarget): [string, readonly [number, number]] {
  if (!(target instanceof Element)) return [PAGE, [window.scrollX, window.scrollY]]
  return [placeOf(target), [target.scrollLeft, target.scrollTop]]
}

function placeOf(element: Element): string {
  const { parentElement } = element
  if (!parentElement) return element.localName
  const number = [...parentElement.children].indexOf(element) + 1
  return `${placeOf(parentElement)} > :nth-child(${number})`
}
