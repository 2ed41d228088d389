import type { ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'
import './AsyncView.css'

interface Props {
  readonly isHeld: boolean
  /** It stands in the content's place; a few lines by default. */
  readonly skeleton?: ReactNode
  readonly children: ReactNode
}

/** It is drawn but takes no room until what stands above it is known, which would push it down. */
export const HeldBack = ({ isHeld, skeleton = <Skeleton />, children }: Props) => (
  <>
    {isHeld && skeleton}
    <div className={isHeld ? 'held-back' : 'shown-below'}>{children}</div>
  </>
)
