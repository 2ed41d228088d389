import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ConditionOwner } from './condition/conditionOwner.ts'
import { type ModeChoice, OwnerPickers } from './ThresholdsFilterBar.tsx'
import { ownerOf, type ThresholdsAddress } from './useThresholdsAddress.ts'

interface Props {
  readonly title: string
  readonly note: React.ReactNode
  readonly modes: readonly ModeChoice[]
  /** The customer of a user who has one; otherwise every customer can be chosen. */
  readonly customerId: ThresholdsAddress['customerId']
  readonly isAllowed: (owner: ConditionOwner) => boolean
  readonly onChoose: (owner: ConditionOwner) => void
  readonly onClose: () => void
}

export function OwnerModal({ title, note, modes, customerId, isAllowed, onChoose, onClose }: Props) {
  const [chosen, setChosen] = useState<ThresholdsAddress>({
    mode: modes[0]?.value ?? 'device',
    ...(customerId === undefined ? {} : { customerId }),
  })
  const owner = ownerOf(chosen)
  return (
    <Modal opened onClose={onClose} title={title} size={480}>
      <p className="condition-note">{note}</p>
      <div className="override-for">
        <SegmentedControl
          size="xs"
          aria-label={title}
          data={[...modes]}
          value={chosen.mode}
          onChange={(mode) => setChosen({ ...chosen, mode: mode as ThresholdsAddress['mode'] })}
        />
        <OwnerPickers
          address={chosen}
          onChange={(change) => setChosen({ ...chosen, ...change } as ThresholdsAddress)}
        />
      </div>
      <div className="override-for-foot">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!owner || !isAllowed(owner)} onClick={() => owner && onChoose(owner)}>
          Continue
        </Button>
      </div>
    </Modal>
  )
}
