import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
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
        <Button
          key={one.key}
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={13} aria-hidden />}
          aria-label={`Add condition: ${one.title}`}
          onClick={() => onSuggest(one)}
        >
          {one.title}
        </Button>
      ))}
    </div>
  )
}
