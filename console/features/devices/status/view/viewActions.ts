import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

export const ViewActions = createContext<HTMLElement | null>(null)

/** The buttons of the open view stand beside the toggle, which stays in place and keeps its focus. */
export function useViewActions(buttons: ReactNode): ReactNode {
  const place = use(ViewActions)
  return place && createPortal(buttons, place)
}
