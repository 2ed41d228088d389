import { useState } from 'react'
import { type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type AlertCondition, listAlertConditions } from '#contract/http/alerting/thresholds.ts'
import { conditionReach } from '#domain/alerts/conditionReach.ts'
import type { SuggestedCondition } from '#domain/alerts/suggestedConditions.ts'
import { ConditionTable } from './ConditionTable.tsx'
import {
  type ConditionOwner,
  isSameOwner,
  mayOverride,
  type NarrowOwner,
  ownerText,
  replacements,
} from './condition/conditionOwner.ts'
import { SuggestedConditions } from './SuggestedConditions.tsx'
import { useConditionActions } from './useConditionActions.ts'
import type { ThresholdsMode } from './useThresholdsAddress.ts'

const OverridesModal = lazyDialog(() => import('./OverridesModal.tsx').then((part) => part.OverridesModal))

interface Editing {
  readonly isStaff: boolean
  readonly onEdit: (condition: AlertCondition) => void
  readonly onOverride: (condition: AlertCondition) => void
  readonly onOverrideFor: (condition: AlertCondition) => void
}

interface Reloading {
  readonly onReload: () => void
  readonly isLoading: boolean
}

interface ListProps extends Editing {
  readonly owner: NarrowOwner
  readonly fieldGroupId: number | undefined
  readonly onSuggest: (suggested: SuggestedCondition) => void
  readonly filter: (buttons: Reloading) => React.ReactNode
}

export function ConditionList({ owner, fieldGroupId, onSuggest, filter, ...editing }: ListProps) {
  const ofGroup = fieldGroupId === undefined ? {} : { fieldGroupId }
  const conditions = useCall(listAlertConditions, { ...owner, ...ofGroup }, { keepsPrevious: true })
  const isOfSome = !('deviceId' in owner)
  const all = useCall(listAlertConditions, ofGroup, { enabled: isOfSome, keepsPrevious: true })
  const { isReloading, reloadNow } = useReload(conditions)
  const wider = isOfSome ? (all.data ?? []).filter((one) => mayOverride(one, owner)) : []
  return (
    <Panel>
      {filter({ onReload: () => void reloadNow(), isLoading: isReloading })}
      <SuggestedConditions
        owner={owner}
        // The other groups are not loaded while one group of fields is chosen.
        watching={fieldGroupId === undefined && conditions.data ? [...conditions.data, ...wider] : undefined}
        onSuggest={onSuggest}
      >
        <Rows conditions={conditions} wider={wider} owner={owner} {...editing} />
      </SuggestedConditions>
    </Panel>
  )
}

interface RowsProps extends Editing {
  readonly conditions: CallResult<typeof listAlertConditions>
  readonly wider: readonly AlertCondition[]
  readonly owner: ConditionOwner
}

function Rows({ conditions, wider, owner, ...editing }: RowsProps) {
  const { isGone, ...actionIds } = useConditionActions(owner, editing.isStaff)
  const [shown, setShown] = useState<AlertCondition>()
  const ids = new Set(conditions.data?.map(({ id }) => id))
  const rows = inOrder(
    [...(conditions.data ?? []), ...wider.filter(({ id }) => !ids.has(id))].filter((one) => !isGone(one)),
  )
  // Only for one device is it certain which condition counts.
  const replaced = 'deviceId' in owner ? replacements(rows) : new Map<number, AlertCondition>()
  const noteOf = (condition: AlertCondition) => {
    const by = replaced.get(condition.overridesId ?? condition.id)
    if (condition.overridesId === null) return by && replacedText(by, owner)
    if (by && by.id !== condition.id) return replacedText(by, owner)
    return overridesText(condition, rows)
  }
  return (
    <AsyncView query={conditions} isEmpty={() => rows.length === 0} empty={<NoConditions />}>
      {() => (
        <>
          <ConditionTable
            conditions={rows}
            owner={owner}
            noteOf={noteOf}
            isReplaced={({ id, overridesId }) => (replaced.get(overridesId ?? id)?.id ?? id) !== id}
            onShowOverrides={setShown}
            onEdit={editing.onEdit}
            onOverride={editing.onOverride}
            onOverrideFor={editing.onOverrideFor}
            {...actionIds}
            onRemove={(condition) => actionIds.remove(condition, rows)}
          />
          {shown && <OverridesModal base={shown} onClose={() => setShown(undefined)} />}
        </>
      )}
    </AsyncView>
  )
}

const NoConditions = () => (
  <EmptyNote title="There are no conditions">
    <p>Without a condition nothing raises an alert.</p>
  </EmptyNote>
)

function replacedText(by: AlertCondition, owner: ConditionOwner): string {
  if (by.isOff) return `switched off here by ${ownerText(by, owner)}`
  return `replaced here by ${by.conditionText} (${ownerText(by, owner)})`
}

function overridesText({ overridesId, isOff }: AlertCondition, rows: readonly AlertCondition[]): string {
  const base = rows.find(({ id }) => id === overridesId)
  const words = base ? `“${base.conditionText}” of ${ownerText(base)}` : 'a wider condition'
  return isOff ? `switches off ${words}` : `overrides ${words}`
}

/** The narrowest conditions stand first, and an override stands right above what it replaces. */
function inOrder(conditions: readonly AlertCondition[]): readonly AlertCondition[] {
  const baseOf = (one: AlertCondition) => conditions.find(({ id }) => id === one.overridesId) ?? one
  const place = (one: AlertCondition) => [conditionReach(baseOf(one)), baseOf(one).id, conditionReach(one), one.id]
  return conditions.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)]
    return left.map((part, index) => part - (right[index] ?? 0)).find(Boolean) ?? 0
  })
}

interface WideProps extends Editing {
  readonly asked: ThresholdsMode
  /** Conditions of the fleet are added here; undefined where another choice comes first. */
  readonly owner: ConditionOwner | undefined
  readonly onSuggest: (suggested: SuggestedCondition) => void
}

const TITLES: { readonly [Mode in ThresholdsMode]?: string } = {
  device: 'Choose a device',
  model: 'Choose a model',
  customer: 'Choose a customer',
  tag: 'Choose a tag',
}

export function WideConditions({ asked, owner, onSuggest, ...editing }: WideProps) {
  const conditions = useCall(listAlertConditions, {})
  const { isGone, ...actionIds } = useConditionActions(undefined, editing.isStaff)
  const [shown, setShown] = useState<AlertCondition>()
  const wide = (conditions.data ?? [])
    .filter((condition) => condition.deviceId === null && !isGone(condition))
    .toSorted((a, b) => conditionReach(b) - conditionReach(a) || (a.modelId ?? 0) - (b.modelId ?? 0) || a.id - b.id)
  const title = TITLES[asked]
  const list = (
    <AsyncView
      query={conditions}
      isEmpty={() => wide.length === 0}
      empty={
        title === undefined ? (
          <NoConditions />
        ) : (
          <EmptyNote title={title}>
            <p>Its conditions are shown here.</p>
          </EmptyNote>
        )
      }
    >
      {() => (
        <>
          <p className="thresholds-note">
            {title && (
              <>
                <strong>{title}</strong> to see all of its conditions.{' '}
              </>
            )}
            Conditions shared by all devices, a model, a customer or a tag.
          </p>
          <ConditionTable
            conditions={wide}
            owner={undefined}
            noteOf={(one) => (one.overridesId === null ? undefined : overridesText(one, wide))}
            isReplaced={() => false}
            onShowOverrides={setShown}
            onEdit={editing.onEdit}
            onOverride={editing.onOverride}
            onOverrideFor={editing.onOverrideFor}
            {...actionIds}
            onRemove={(condition) => actionIds.remove(condition, wide)}
          />
          {shown && <OverridesModal base={shown} onClose={() => setShown(undefined)} />}
        </>
      )}
    </AsyncView>
  )
  if (!owner) return list
  return (
    <SuggestedConditions
      owner={owner}
      watching={conditions.data && wide.filter((one) => isSameOwner(one, owner))}
      onSuggest={onSuggest}
    >
      {list}
    </SuggestedConditions>
  )
}
