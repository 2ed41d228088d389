import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useIsCustomerUser } from '#console/lib/call/session.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useReload } from '#console/lib/call/useReload.ts'
import { useRemoval } from '#console/lib/list/useRemoval.ts'
import { useOffers } from '#console/lib/offers/offers.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { type AlertCondition, deleteAlertCondition, listAlertConditions } from '#contract/http/alertConditions.ts'
import { ConditionModal } from './ConditionModal.tsx'
import { ConditionTable } from './ConditionTable.tsx'
import { ThresholdsFilterBar } from './ThresholdsFilterBar.tsx'
import { type ConditionOwner, ownerOf, type ThresholdsMode, useThresholdsAddress } from './useThresholdsAddress.ts'
import './thresholds.css'

/** `/thresholds`: the conditions that raise alerts, of a device or of a whole model. */
export function ThresholdsScreen() {
  const isStaff = !useIsCustomerUser()
  const { address, change } = useThresholdsAddress(isStaff)
  const owner = ownerOf(address)
  const [edited, setEdited] = useState<AlertCondition | 'new'>()
  const close = () => setEdited(undefined)
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
        <Conditions
          owner={owner}
          fieldGroupId={address.fieldGroupId}
          mayEditModels={isStaff}
          onEdit={setEdited}
          filter={(buttons) => (
            <ThresholdsFilterBar
              address={address}
              owner={owner}
              mayUseModels={isStaff}
              onChange={change}
              {...buttons}
            />
          )}
        />
      ) : (
        <Panel>
          <ThresholdsFilterBar address={address} owner={undefined} mayUseModels={isStaff} onChange={change} />
          <ConditionsOfModels asked={address.mode} mayEdit={isStaff} onEdit={setEdited} />
        </Panel>
      )}
      {edited === 'new'
        ? owner && <ConditionModal owner={owner} condition={undefined} onClose={close} />
        : edited && <ConditionModal owner={ownerOfCondition(edited)} condition={edited} onClose={close} />}
    </Screen>
  )
}

interface Reloading {
  readonly onReload: () => void
  readonly isLoading: boolean
}

interface ConditionsProps {
  readonly owner: ConditionOwner
  readonly fieldGroupId: number | undefined
  readonly mayEditModels: boolean
  readonly onEdit: (condition: AlertCondition) => void
  readonly filter: (buttons: Reloading) => React.ReactNode
}

interface OfModelsProps {
  readonly asked: ThresholdsMode
  readonly mayEdit: boolean
  readonly onEdit: (condition: AlertCondition) => void
}

/** What holds for whole models, and so for most devices: where nobody has chosen one yet. */
function ConditionsOfModels({ asked, mayEdit, onEdit }: OfModelsProps) {
  const conditions = useCall(listAlertConditions, {})
  const { remove, isGone } = useConditionRemoval()
  const ofModels = (conditions.data ?? [])
    .filter((condition) => condition.modelId !== null && !isGone(condition))
    .toSorted((a, b) => (a.modelId ?? 0) - (b.modelId ?? 0))
  const title = asked === 'model' ? 'Choose a model' : 'Choose a device'
  return (
    <AsyncView
      query={conditions}
      isEmpty={() => ofModels.length === 0}
      empty={
        <EmptyNote title={title}>
          <p>Its conditions are shown here.</p>
        </EmptyNote>
      }
    >
      {() => (
        <>
          <p className="thresholds-note">
            <strong>{title}</strong>{' '}
            <span>to see all of its conditions. These hold for every device of their model.</span>
          </p>
          <ConditionTable conditions={ofModels} mayEdit={() => mayEdit} onEdit={onEdit} onRemove={remove} />
        </>
      )}
    </AsyncView>
  )
}

const useConditionRemoval = () =>
  useRemoval(deleteAlertCondition, {
    title: 'Remove condition',
    question: ({ conditionText }: AlertCondition) => messages.confirmRemoveCondition(conditionText),
  })

function Conditions({ owner, fieldGroupId, mayEditModels, onEdit, filter }: ConditionsProps) {
  const query = { ...owner, ...(fieldGroupId === undefined ? {} : { fieldGroupId }) }
  const conditions = useCall(listAlertConditions, query, { keepsPrevious: true })
  const { isReloading, reloadNow } = useReload(conditions)
  const { remove, isGone } = useConditionRemoval()
  return (
    <Panel>
      {filter({ onReload: () => void reloadNow(), isLoading: isReloading })}
      <AsyncView
        query={conditions}
        isEmpty={(rows) => rows.every(isGone)}
        empty={
          <EmptyNote title="There are no conditions">
            <p>Without a condition nothing raises an alert.</p>
          </EmptyNote>
        }
      >
        {(rows) => (
          <ConditionTable
            conditions={rows.filter((row) => !isGone(row))}
            mayEdit={({ modelId }) => modelId === null || mayEditModels}
            onEdit={onEdit}
            onRemove={remove}
          />
        )}
      </AsyncView>
    </Panel>
  )
}

function ownerOfCondition({ deviceId, modelId }: AlertCondition): ConditionOwner {
  if (deviceId !== null) return { deviceId }
  if (modelId !== null) return { modelId }
  throw new Error('A condition is of a device or of a model.')
}
