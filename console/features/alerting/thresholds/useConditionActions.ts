import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useRemoval } from '#console/lib/list/useRemoval.ts'
import { type AlertCondition, deleteAlertCondition, setAlertCondition } from '#contract/http/alerting/thresholds.ts'
import { conditionMessages } from './condition/conditionMessages.ts'
import { type ConditionOwner, hereText, ownerText } from './condition/conditionOwner.ts'

type Removed = AlertCondition & { readonly base?: AlertCondition | undefined }

export function useConditionActions(owner: ConditionOwner | undefined, isStaff: boolean) {
  const { remove, isGone } = useRemoval(deleteAlertCondition, {
    title: 'Remove condition',
    question: (condition: Removed) => removalQuestion(condition),
  })
  const switchOff = async (condition: AlertCondition) => {
    if (!owner) return
    await confirmAndChange(
      setAlertCondition,
      {
        body: {
          ...condition,
          id: 0,
          ...{ deviceId: null, modelId: null, customerId: null, tag: null, allDevices: false },
          ...owner,
          overridesId: condition.id,
          isOff: true,
        },
      },
      {
        title: 'Switch off here',
        text: conditionMessages.confirmSwitchOff(condition.conditionText, hereText(owner)),
        isDangerous: true,
        done: conditionMessages.switchedOff,
      },
    )
  }
  return {
    remove: (condition: AlertCondition, known: readonly AlertCondition[]) =>
      remove({ ...condition, base: known.find(({ id }) => id === condition.overridesId) }),
    isGone,
    onSwitchOff: (condition: AlertCondition) => void switchOff(condition),
    mayEdit: ({ deviceId, customerId }: AlertCondition) => isStaff || deviceId !== null || customerId !== null,
  }
}

function removalQuestion(condition: Removed): string {
  const { conditionText, overridesId, overriddenCount, base, deviceId } = condition
  if (overridesId !== null) {
    const words = base ? `"${base.conditionText}" of ${ownerText(base)}` : 'The wider condition'
    return conditionMessages.confirmRemoveOverride(conditionText, words)
  }
  if (deviceId !== null) return conditionMessages.confirmRemove(conditionText)
  return conditionMessages.confirmRemoveWide(conditionText, ownerText(condition), overriddenCount)
}
