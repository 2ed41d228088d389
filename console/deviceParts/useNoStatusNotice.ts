import { useEffect, useRef } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'

export const sayNoStatus = () => toasts.warning(messages.noStatus)

/**
 * A first load without data is reported; a silent refresh stays silent (rules/messages 4).
 *
 * @param isEmpty undefined until something was loaded
 */
export function useNoStatusNotice(isEmpty: boolean | undefined) {
  const isLoaded = useRef(false)
  useEffect(() => {
    if (isEmpty === undefined || isLoaded.current) return
    isLoaded.current = true
    if (isEmpty) sayNoStatus()
  }, [isEmpty])
}
