import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** The place beside the toggle of the views. */
export const ViewActions = createContext<HTMLElement | null>(null)

/** The buttons of the view that is open stand beside the toggle, which stays where it is and keeps its focus. */
export function useViewActions(buttons: ReactNode): ReactNode {
  const place = use(ViewActions)
  return place && createPortal(buttons, place)
}
