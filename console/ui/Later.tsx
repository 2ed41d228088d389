import { type ReactNode, startTransition, useEffect, useState } from 'react'

interface Props {
  /** What stands there until then. */
  readonly meanwhile?: ReactNode
  readonly children: ReactNode
}

/**
 * For much that would appear at once: it is drawn in pieces of a few milliseconds, after what is around it, so that neither
 * a click nor a report waits for it; one within another comes after that. Once it is there, it moves like everything else.
 */
export function Later({ meanwhile = null, children }: Props) {
  const [isTurn, setTurn] = useState(false)
  useEffect(() => startTransition(() => setTurn(true)), [])
  return isTurn ? children : meanwhile
}
