import { type ReactNode, startTransition, useEffect, useState } from 'react'

interface Props {
  readonly meanwhile?: ReactNode
  readonly children: ReactNode
}

/**
 * Large content is drawn in pieces of a few milliseconds, after its surroundings, so that neither a click nor a report
 * waits for it; one `Later` within another comes after that. Once drawn, it updates like everything else.
 */
export function Later({ meanwhile = null, children }: Props) {
  const [isTurn, setTurn] = useState(false)
  useEffect(() => startTransition(() => setTurn(true)), [])
  return isTurn ? children : meanwhile
}
