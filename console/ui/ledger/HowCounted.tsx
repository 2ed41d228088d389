import type { ReactNode } from 'react'
import { Panel } from '#console/ui/Panel.tsx'
import './ledger.css'

interface Props {
  readonly rules: readonly string[]
  readonly children?: ReactNode
}

/** It says in words by which rules the figures of a page were counted. */
export const HowCounted = ({ rules, children }: Props) => (
  <Panel title="How it is counted" isPadded folds>
    <ol className="counted-by">
      {rules.map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ol>
    {children}
  </Panel>
)
