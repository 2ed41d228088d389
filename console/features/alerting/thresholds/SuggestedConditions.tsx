import { IconPlus } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { type AlertCondition, listConditionFields } from '#contract/http/alerting/thresholds.ts'
import { type SuggestedCondition, suggestionsBeside } from '#domain/alerts/suggestedConditions.ts'
import { type ConditionOwner, fieldsAskedOf } from './condition/conditionOwner.ts'

interface Props {
  readonly owner: ConditionOwner
  readonly watching: readonly AlertCondition[]
  readonly onSuggest: (suggested: SuggestedCondition) => void
}

/** Each suggestion, which no condition covers yet, is a button that fills in the form. */
export function SuggestedConditions({ owner, watching, onSuggest }: Props) {
  const fields = useCall(listConditionFields, fieldsAskedOf(owner))
  const suggestions = suggestionsBeside(watching, fields.data ?? [])
  if (suggestions.length === 0) return null
  return (
    <div className="condition-suggestions">
      <span className="dim">Suggested:</span>
      {suggestions.map((one) => (
        <ActionButton
          icon={IconPlus}
          iconSize={13}
          key={one.key}
          size="compact-xs"
          aria-label={`Add condition: ${one.title}`}
          onClick={() => onSuggest(one)}
        >
          {one.title}
        </ActionButton>
      ))}
    </div>
  )
}
