import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import type { BodyOf } from '#contract/call/call.ts'
import { previewClientUpdate, type UpdatePreview } from '#contract/http/software/rollouts.ts'
import { type PlanValues, planBody } from '../planValues.ts'

/** The delay is long enough to type a number and short enough to feel immediate. */
const QUIET_MS = 300

export interface PlanPreview {
  readonly result: UseQueryResult<UpdatePreview, CallFailed>
  readonly isOld: boolean
}

export function usePlanPreview(values: PlanValues): PlanPreview {
  const wanted = JSON.stringify(planBody(values))
  const [asked] = useDebouncedValue(wanted, QUIET_MS)
  const result = useQuery<UpdatePreview, CallFailed>({
    queryKey: [previewClientUpdate.path, asked],
    queryFn: ({ signal }) =>
      send(previewClientUpdate, { body: JSON.parse(asked) as BodyOf<typeof previewClientUpdate>, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_EVERY_MS.ofDraft,
    gcTime: 0,
  })
  return { result, isOld: wanted !== asked || result.isPlaceholderData }
}
