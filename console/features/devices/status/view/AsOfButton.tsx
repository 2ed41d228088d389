import { Popover } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { TypedMoment } from '#console/ui/form/TypedMoment.tsx'

interface Props {
  /** The shown moment as text; absent means now. */
  readonly shown?: string
  readonly onChoose: (at: Date) => void
}

export function AsOfButton({ shown, onChoose }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover position="bottom-end" opened={isOpen} onChange={setIsOpen} trapFocus returnFocus>
      <Popover.Target>
        <ActionButton
          icon={IconHistory}
          onClick={() => setIsOpen(!isOpen)}
          aria-label={shown && `As of ${shown}. Choose another moment`}
        >
          {shown ?? 'View at time'}
        </ActionButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="View at time">
        <TypedMoment
          label="Show the status as of"
          {...(shown && { begin: shown })}
          isPast
          onChoose={(at) => {
            setIsOpen(false)
            onChoose(at)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
