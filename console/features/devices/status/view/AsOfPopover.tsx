import { Popover } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { TypedMoment } from '#console/ui/form/TypedMoment.tsx'
import { Standing } from '#console/ui/kit/Standing.tsx'

interface Props {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly shown?: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChoose: (at: Date) => void
}

export function AsOfPopover({ button, shown, isOpen, onClose, onChoose }: Props) {
  // It exists before it opens, so that it knows where the focus was, and gives it back.
  const [isThere, setIsThere] = useState(false)
  useEffect(() => setIsThere(true), [])
  return (
    <Popover
      position="bottom-end"
      opened={isOpen && isThere}
      onChange={(next) => !next && onClose()}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Standing button={button} />
      </Popover.Target>
      <Popover.Dropdown aria-label="View at time">
        <TypedMoment
          label="Show the status as of"
          {...(shown && { begin: shown })}
          isPast
          onChoose={(at) => {
            onClose()
            onChoose(at)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
