import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './recordItem.css'

interface Props {
  readonly icon: Icon
  /** The icon says something that no text does. */
  readonly iconName?: string
  readonly name: ReactNode
  readonly more: readonly ReactNode[]
  /** The button or mark at the end of the line. */
  readonly children: ReactNode
}

/** It is one of the few sessions, tokens or factors of a user, in a `<ul className="record-list">`. */
export function RecordItem({ icon: RecordIcon, iconName, name, more, children }: Props) {
  return (
    <li className="record">
      <RecordIcon
        size={20}
        stroke={1.6}
        {...(iconName === undefined ? { 'aria-hidden': true } : { 'aria-label': iconName })}
      />
      <div>
        <div className="record-name">{name}</div>
        {more.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a record stay in their places
          <div key={place} className="record-more">
            {line}
          </div>
        ))}
      </div>
      {children}
    </li>
  )
}
