import { IconSelector } from '@tabler/icons-react'
import { useState } from 'react'
import { kitPart } from '#console/ui/kit/kitPart.tsx'
import { useFirstUse } from '#console/ui/lazyPart.tsx'
import type { LaterSelectProps, Reached } from './laterSelectProps.ts'
import './LaterSelect.css'

const ReachedSelect = kitPart(() => import('./ReachedSelect.tsx').then((part) => part.ReachedSelect))

/**
 * A field with a list, as the kit draws it; the kit comes when somebody reaches for it, and goes on where they are. For
 * pages that are there before the kit.
 */
export function LaterSelect(props: LaterSelectProps) {
  const [isHere, reach] = useFirstUse(ReachedSelect)
  const [reached, setReached] = useState<Reached>({ isOpen: false, typed: '' })
  if (isHere) return <ReachedSelect {...props} reached={reached} />
  const chosen = props.data.find(({ value }) => value === props.value)
  const open = (typed: string) => {
    setReached({ isOpen: true, typed })
    void reach()
  }
  return (
    <div className="field later-select">
      <input
        role="combobox"
        aria-label={props['aria-label']}
        aria-haspopup="listbox"
        aria-expanded={false}
        autoComplete="off"
        placeholder={props.placeholder}
        readOnly={!props.searchable}
        value={reached.typed || (chosen?.label ?? '')}
        onFocus={() => void reach()}
        onClick={() => open(reached.typed)}
        onChange={({ currentTarget }) => open(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown' || key === 'Enter') open(reached.typed)
        }}
      />
      <IconSelector size={13} stroke={1.6} aria-hidden />
    </div>
  )
}
