import { Button, Checkbox } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { SeverityBadge } from '#console/alertParts/SeverityBadge.tsx'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { HeldBack } from '#console/ui/HeldBack.tsx'
import {
  answerDefaultConditions,
  type DefaultConditions,
  getDefaultConditions,
} from '#contract/http/alerting/thresholds.ts'
import type { SuggestedConditionKey } from '#domain/alerts/suggestedConditions.ts'
import { conditionMessages } from './condition/conditionMessages.ts'

/** The list below it is shown when it is known whether there is an offer, which would push the list down. */
export function DefaultConditionsNotice({ children }: { readonly children: ReactNode }) {
  const { data, isPending } = useCall(getDefaultConditions, {})
  return (
    <>
      {data?.isOffered && <PaletteCommand conditions={data.conditions} />}
      <HeldBack isHeld={isPending}>{children}</HeldBack>
    </>
  )
}

/** An existing condition would raise a second alert about the same, so the default ones must be selected. */
function PaletteCommand({ conditions }: Pick<DefaultConditions, 'conditions'>) {
  const [chosen, setChosen] = useState<readonly SuggestedConditionKey[]>(
    conditions.filter(({ isWatched }) => !isWatched).map(({ key }) => key),
  )
  const answer = useChange(answerDefaultConditions, {
    onDone: (added) => {
      if (added.length > 0) toasts.success(conditionMessages.defaultsAdded(added.length))
    },
  })
  return (
    <section className="condition-offer" aria-labelledby="condition-offer">
      <h2 id="condition-offer">Default conditions for all devices</h2>
      <p className="dim">New installations start with these. You can edit or remove them later.</p>
      <ul>
        {conditions.map(({ key, title, conditionText, severityId, isWatched }) => (
          <li key={key}>
            <Checkbox
              size="xs"
              label={title}
              description={isWatched ? `${conditionText} · already watched by another condition` : conditionText}
              checked={chosen.includes(key)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(checked ? [...chosen, key] : chosen.filter((one) => one !== key))
              }
            />
            <SeverityBadge severityId={severityId} />
          </li>
        ))}
      </ul>
      <div className="condition-offer-buttons">
        <Button
          size="compact-sm"
          disabled={chosen.length === 0}
          loading={answer.isPending}
          onClick={() => answer.mutate({ body: { keys: [...chosen] } })}
        >
          Add selected
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={answer.isPending}
          onClick={() => answer.mutate({ body: { keys: [] } })}
        >
          Dismiss
        </Button>
      </div>
    </section>
  )
}
