import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { type ConditionPreview, previewAlertCondition } from '#contract/http/alerting/thresholds.ts'
import type { ConditionBody } from './condition/conditionValues.ts'

/** The delay is long enough to type a number and short enough to feel immediate. */
const QUIET_MS = 350

/** The result of the shorter period comes first, because a quarter takes longer to evaluate. */
const SHORT_DAYS = 30
const LONG_DAYS = 90

export interface Preview {
  readonly month: UseQueryResult<ConditionPreview, CallFailed>
  readonly quarter: UseQueryResult<ConditionPreview, CallFailed>
  readonly isOld: boolean
}

/** It asks what the condition would have raised, a moment after the last change; older answers are dropped. */
export function usePreview(body: ConditionBody | undefined): Preview {
  // Every render makes a new body, so the query compares the text. The action does not affect the preview.
  const wanted = body && JSON.stringify({ ...body, actionTypeId: 1 })
  const [asked] = useDebouncedValue(wanted, QUIET_MS)
  const month = useDays(asked, SHORT_DAYS, true)
  const quarter = useDays(asked, LONG_DAYS, month.isSuccess && !month.isPlaceholderData)
  return { month, quarter, isOld: wanted !== asked || month.isPlaceholderData }
}

function useDays(asked: string | undefined, days: 30 | 90, isEnabled: boolean) {
  return useQuery<ConditionPreview, CallFailed>({
    queryKey: [previewAlertCondition.path, days, asked],
    queryFn: ({ signal }) =>
      send(previewAlertCondition, { body: { ...(JSON.parse(asked ?? '{}') as ConditionBody), days }, signal }),
    enabled: asked !== undefined && isEnabled,
    placeholderData: keepPreviousData,
    // A preview covers days, so a minute more changes nothing.
    staleTime: 60_000,
    gcTime: 0,
  })
}
