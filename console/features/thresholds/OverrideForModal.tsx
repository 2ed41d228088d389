import { Button, Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { AlertCondition } from '#contract/http/alertConditions.ts'
import { type ConditionOwner, mayOverride, ownerText } from './conditionOwner.ts'
import { OwnerPickers } from './ThresholdsFilterBar.tsx'
import { ownerOf, type ThresholdsAddress } from './useThresholdsAddress.ts'

interface Props {
  readonly base: AlertCondition
  /** Of somebody who has one; else every customer can be chosen. */
  readonly customerId: ThresholdsAddress['customerId']
  readonly onChoose: (owner: ConditionOwner) => void
  readonly onClose: () => void
}

const NARROWER = [
  { value: 'device', label: 'Device' },
  { value: 'tag', label: 'Tag' },
  { value: 'customer', label: 'Customer' },
] as const

/** For which devices something else is to hold than a wide condition says. */
export function OverrideForModal({ base, customerId, onChoose, onClose }: Props) {
  const [chosen, setChosen] = useState<ThresholdsAddress>({
    mode: 'device',
    ...(customerId === undefined ? {} : { customerId }),
  })
  const owner = ownerOf(chosen)
  return (
    <Modal opened onClose={onClose} title="Override for" size={480}>
      <p className="condition-note">
        Instead of “{base.conditionText}” of {ownerText(base)}, something else is to hold for:
      </p>
      <div className="override-for">
        <SegmentedControl
          size="xs"
          aria-label="Override for"
          data={[...NARROWER]}
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
        <Button disabled={!owner || !mayOverride(base, owner)} onClick={() => owner && onChoose(owner)}>
          Continue
        </Button>
      </div>
    </Modal>
  )
}
