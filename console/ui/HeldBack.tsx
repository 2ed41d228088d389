import type { ReactNode } from 'react'
import './AsyncView.css'

interface Props {
  readonly isHeld: boolean
  readonly children: ReactNode
}

/** It is drawn but takes no room until what stands above it is known, which would push it down. */
export const HeldBack = ({ isHeld, children }: Props) => (
  <div className={isHeld ? 'held-back' : 'shown-below'}>{children}</div>
)
