import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import type { AlertCondition } from '#contract/http/alertConditions.ts'
import type { SuggestedCondition } from '#domain/alerts/suggestedConditions.ts'
import { ConditionList, WideConditions } from './ConditionList.tsx'
import { ConditionModal } from './ConditionModal.tsx'
import { type ConditionOwner, ownerOfCondition } from './conditionOwner.ts'
import { OverrideForModal } from './OverrideForModal.tsx'
import { ThresholdsFilterBar } from './ThresholdsFilterBar.tsx'
import { ownerOf, useThresholdsAddress } from './useThresholdsAddress.ts'
import './thresholds.css'

/** What the form is open for: a new one, one that is there, or a new one that replaces a wider one here. */
type Edited =
  | 'new'
  | { readonly condition: AlertCondition }
  | { readonly suggested: SuggestedCondition }
  | { readonly overridden: AlertCondition; readonly of?: ConditionOwner }

/** `/thresholds`: the conditions that raise alerts, of a device, a model, a customer or a tag. */
export function ThresholdsScreen() {
  const { address, change, isStaff } = useThresholdsAddress()
  const owner = ownerOf(address)
  const [edited, setEdited] = useState<Edited>()
  const [wide, setWide] = useState<AlertCondition>()
  useOffers([
    {
      deed: 'threshold.add',
      label: 'Add alert threshold',
      otherWords: 'new create condition',
      icon: IconPlus,
      refused: owner ? undefined : messages.noConditionOwner,
      run: () => setEdited('new'),
    },
  ])
  const editing = {
    isStaff,
    onEdit: (condition: AlertCondition) => setEdited({ condition }),
    onOverride: (overridden: AlertCondition) => setEdited({ overridden }),
    onOverrideFor: setWide,
  }
  const filter = { address, owner, isStaff, onChange: change }

  return (
    <Screen
      title="Alert Thresholds"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} disabled={!owner} onClick={() => setEdited('new')}>
          Add condition
        </Button>
      }
    >
      {owner ? (
        <ConditionList
          owner={owner}
          fieldGroupId={address.fieldGroupId}
          onSuggest={(suggested) => setEdited({ suggested })}
          {...editing}
          filter={(buttons) => <ThresholdsFilterBar {...filter} {...buttons} />}
        />
      ) : (
        <Panel>
          <ThresholdsFilterBar {...filter} />
          <WideConditions asked={address.mode} {...editing} />
        </Panel>
      )}
      {wide && (
        <OverrideForModal
          base={wide}
          customerId={isStaff ? undefined : address.customerId}
          onChoose={(chosen) => {
            setWide(undefined)
            setEdited({ overridden: wide, of: chosen })
          }}
          onClose={() => setWide(undefined)}
        />
      )}
      {edited && <Editing edited={edited} owner={owner} onClose={() => setEdited(undefined)} />}
    </Screen>
  )
}

interface EditingProps {
  readonly edited: Edited
  /** Whose a new one is, where nothing else is said. */
  readonly owner: ConditionOwner | undefined
  readonly onClose: () => void
}

function Editing({ edited, owner, onClose }: EditingProps) {
  const { condition, overridden, suggested, of } = {
    ...{ condition: undefined, overridden: undefined, suggested: undefined, of: undefined },
    ...(edited === 'new' ? {} : edited),
  }
  const editedOwner = condition ? ownerOfCondition(condition) : (of ?? owner)
  if (!editedOwner) return null
  return <ConditionModal owner={editedOwner} {...{ condition, overridden, suggested, onClose }} />
}
