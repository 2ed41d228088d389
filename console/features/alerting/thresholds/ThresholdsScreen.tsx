import { useState } from 'react'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import type { SuggestedCondition } from '#domain/alerts/suggestedConditions.ts'
import type { CustomerId } from '#domain/ids.ts'
import { ConditionList, WideConditions } from './ConditionList.tsx'
import { type ConditionOwner, mayOverride, ownerOfCondition, ownerText } from './condition/conditionOwner.ts'
import { DefaultConditionsNotice } from './DefaultConditionsNotice.tsx'
import { modesFor, ThresholdsFilterBar } from './ThresholdsFilterBar.tsx'
import { ownerOf, type ThresholdsMode, useThresholdsAddress } from './useThresholdsAddress.ts'
import './thresholds.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const OwnerModal = lazyDialog(() => import('./OwnerModal.tsx').then((part) => part.OwnerModal))
const ConditionModal = lazyDialog(() => import('./ConditionModal.tsx').then((part) => part.ConditionModal))

/** The form is open for a new condition, an existing one, or a new one that replaces a wider one here. */
type Edited =
  | 'new'
  | { readonly of: ConditionOwner }
  | { readonly condition: AlertCondition }
  | { readonly suggested: SuggestedCondition }
  | { readonly overridden: AlertCondition; readonly of?: ConditionOwner }

export function ThresholdsScreen() {
  const { address, change, isStaff } = useThresholdsAddress()
  const owner = ownerOf(address)
  const [edited, setEdited] = useState<Edited>()
  const [wide, setWide] = useState<AlertCondition>()
  const editing = {
    isStaff,
    onEdit: (condition: AlertCondition) => setEdited({ condition }),
    onOverride: (overridden: AlertCondition) => setEdited({ overridden }),
    onOverrideFor: setWide,
    onSuggest: (suggested: SuggestedCondition) => setEdited({ suggested }),
  }
  const filter = { address, owner, isStaff, onChange: change }
  const wideConditions = <WideConditions asked={address.mode} owner={owner} {...editing} />

  return (
    <Screen
      title="Alert Thresholds"
      actions={
        <AddButton
          actionId="threshold.add"
          label="Add alert threshold"
          searchTerms="new create condition"
          onClick={() => setEdited('new')}
        >
          Add condition
        </AddButton>
      }
    >
      {owner && !('allDevices' in owner) ? (
        <ConditionList
          owner={owner}
          fieldGroupId={address.fieldGroupId}
          {...editing}
          filter={(buttons) => <ThresholdsFilterBar {...filter} {...buttons} />}
        />
      ) : (
        <Panel>
          <ThresholdsFilterBar {...filter} />
          {isStaff ? <DefaultConditionsNotice>{wideConditions}</DefaultConditionsNotice> : wideConditions}
        </Panel>
      )}
      <OwnerChoice
        overridden={wide}
        isOfNew={edited === 'new' && !owner}
        {...{ isStaff, customerId: isStaff ? undefined : address.customerId }}
        onChoose={(of) => {
          setWide(undefined)
          setEdited(wide ? { overridden: wide, of } : { of })
        }}
        onClose={() => {
          setWide(undefined)
          if (!wide) setEdited(undefined)
        }}
      />
      {edited && <Editing edited={edited} owner={owner} onClose={() => setEdited(undefined)} />}
    </Screen>
  )
}

interface OwnerChoiceProps {
  readonly overridden: AlertCondition | undefined
  readonly isOfNew: boolean
  readonly isStaff: boolean
  readonly customerId: CustomerId | undefined
  readonly onChoose: (owner: ConditionOwner) => void
  readonly onClose: () => void
}

function OwnerChoice({ overridden, isOfNew, isStaff, ...choice }: OwnerChoiceProps) {
  if (overridden)
    return (
      <OwnerModal
        title="Override for"
        note={`Override “${overridden.conditionText}” (${ownerText(overridden)}) for:`}
        modes={modesFor(isStaff).filter(({ value }) => mayOverrideFor(overridden, value))}
        isAllowed={(owner) => mayOverride(overridden, owner)}
        {...choice}
      />
    )
  if (!isOfNew) return null
  return (
    <OwnerModal
      title="Add condition for"
      note="Choose the devices that the condition holds for."
      modes={modesFor(isStaff)}
      isAllowed={() => true}
      {...choice}
    />
  )
}

/** A model may differ from the fleet's condition alone. */
const mayOverrideFor = (base: AlertCondition, mode: ThresholdsMode) =>
  mode !== 'all' && (mode !== 'model' || base.allDevices)

interface EditingProps {
  readonly edited: Edited
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
