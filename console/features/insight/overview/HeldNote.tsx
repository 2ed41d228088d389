import type { UseQueryResult } from '@tanstack/react-query'
import { useIsServerLost } from '#console/lib/call/reach.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { Age } from '#console/ui/Age.tsx'

/** After a failed refresh the age of what is shown appears (rules/messages 2); otherwise there is nothing. */
export function HeldNote({ query }: { readonly query: UseQueryResult<unknown, unknown> }) {
  const isServerLost = useIsServerLost()
  if (!query.isError || query.data === undefined || isServerLost) return null
  return (
    <span className="held-note">
      not refreshed, read <Age at={readAt(query)} />
    </span>
  )
}

/** The time is by the server's clock, as ages are. */
export function readAt({ dataUpdatedAt }: UseQueryResult<unknown, unknown>): Date | undefined {
  return dataUpdatedAt === 0 ? undefined : new Date(dataUpdatedAt + serverNowMs() - Date.now())
}
