import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { HeldBack } from '#console/ui/HeldBack.tsx'
import { type AlertCondition, listConditionFields } from '#contract/http/alerting/thresholds.ts'
import { type SuggestedCondition, suggestionsBeside } from '#domain/alerts/suggestedConditions.ts'
import { type ConditionOwner, fieldsAskedOf } from './condition/conditionOwner.ts'

interface Props {
  readonly owner: ConditionOwner
  /** They are undefined until they are read. */
  readonly watching: readonly AlertCondition[] | undefined
  readonly onSuggest: (suggested: SuggestedCondition) => void
  readonly children: ReactNode
}

/**
 * Each suggestion, which no condition covers yet, is a button that fills in the form. The list below is shown when they
 * are known, which would push it down.
 */
export function SuggestedConditions({ owner, watching, onSuggest, children }: Props) {
  const fields = useCall(listConditionFields, fieldsAskedOf(owner))
  const suggestions = watching ? suggestionsBeside(watching, fields.data ?? []) : []
  return (
    <>
      {suggestions.length > 0 && (
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
      )}
      <HeldBack isHeld={fields.isPending}>{children}</HeldBack>
    </>
  )
}
