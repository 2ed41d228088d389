import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import type { AnswerOf, AuditEntity, Call, QuestionOf } from '#contract/call/call.ts'
import { getClientAuthData } from '#contract/http/people/signIn.ts'
import { type Input, send } from './api.ts'
import { begunQuestions } from './begunCalls.ts'
import { type CallFailed, mayPass } from './CallFailed.ts'
import { onSessionChange, readSession } from './sessionStore.ts'
import { toasts } from './toasts.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** It names the entities that the answer shows (`shows` of the contract). */
    queryMeta: { readonly shows: readonly AuditEntity[] }
  }
}

const MOST_RETRIES = 2
/** A page is drawn within this time of its first calls, which are made before and while it is drawn. */
const DRAWN_WITHIN_MS = 5000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failureCount, failure) => failureCount < MOST_RETRIES && mayPass(failure),
      refetchOnWindowFocus: false,
      // The first answer is not asked for a second time by the page that it was for.
      refetchOnMount: ({ state: { isInvalidated, dataUpdateCount, dataUpdatedAt } }) =>
        isInvalidated || dataUpdateCount > 1 || Date.now() - dataUpdatedAt > DRAWN_WITHIN_MS,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

let userId = readSession()?.user.id
// Data that one user has read must never be shown to the next one in the same browser.
onSessionChange(() => {
  const nextUserId = readSession()?.user.id
  if (nextUserId !== userId) queryClient.clear()
  userId = nextUserId
})

/** The question becomes the query of a GET, or the body of a POST that changes nothing. */
export function askedBy<C extends Call>(call: C, question: unknown, signal: AbortSignal | undefined): Input<C> {
  return { [call.method === 'GET' ? 'query' : 'body']: question, signal } as unknown as Input<C>
}

export interface CallOptions<C extends Call = Call> {
  readonly enabled?: boolean
  /** It polls silently, as the fallback beside live events. A function decides by the last answer. */
  readonly refreshEveryMs?: number | ((answer: AnswerOf<C> | undefined) => number)
  /** While another page or filter loads, the previous rows stay on the screen, dimmed. */
  readonly keepsPrevious?: boolean
  /** An answer younger than this is used without asking again; lookups use `Infinity`. */
  readonly freshMs?: number
}

export type CallResult<C extends Call> = UseQueryResult<AnswerOf<C>, CallFailed>

export function callKey<C extends Call>(call: C, query: QuestionOf<C>): readonly [string, QuestionOf<C>] {
  return [call.path, query]
}

/**
 * It reads by a contract entry. `AsyncView` draws failures; failed refreshes in the background stay silent. The call is
 * made while the page is drawn, because drawing takes a slow computer half a second.
 */
export function useCall<C extends Call>(call: C, query: QuestionOf<C>, options: CallOptions<C> = {}): CallResult<C> {
  const { refreshEveryMs, enabled = true } = options
  const read = readingOf(call, query)
  if (enabled && queryClient.getQueryState(read.queryKey) === undefined) void queryClient.prefetchQuery(read)
  return useQuery<AnswerOf<C>, CallFailed>({
    ...read,
    enabled,
    staleTime: options.freshMs ?? 0,
    ...(refreshEveryMs === undefined
      ? {}
      : {
          refetchInterval:
            typeof refreshEveryMs === 'number' ? refreshEveryMs : ({ state }) => refreshEveryMs(state.data),
        }),
    ...(options.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  })
}

const readingOf = <C extends Call>(call: C, query: QuestionOf<C>) => ({
  queryKey: callKey(call, query),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => send(call, askedBy(call, query, signal)),
  meta: { shows: call.shows ?? [] },
})

/** A page whose answers come within this time is drawn once, with them, so that nothing moves. */
const WORTH_WAITING_MS = 300

/** It adopts the calls that were begun for the page, and waits briefly for them. */
export async function gatherBegun(): Promise<void> {
  const asked = begunQuestions()
    // The session asks for the own user itself.
    .filter(({ call }) => call.path !== getClientAuthData.path)
    .map(({ call, query }) => queryClient.prefetchQuery(readingOf(call, query as QuestionOf<Call>)))
  await Promise.race([Promise.all(asked), new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS))])
}

/** It is for Reload buttons: an operator asked, so a failure is shown even when older data stays on the screen. */
export async function reload<T>(result: UseQueryResult<T, CallFailed>): Promise<void> {
  const { error, isError } = await result.refetch({ cancelRefetch: true })
  // The banner already says that the server does not answer.
  if (isError && result.data !== undefined && !mayPass(error)) toasts.failure(error)
}

/** It discards the answers of these calls, whatever their query, and reads again what is on the screen. */
export async function refresh(...calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
}

/** After a change, or when one was refused because of a conflict, everything that shows such entities is read again. */
export async function refreshAfter({ changes }: Call): Promise<void> {
  if (!changes) return
  await queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.shows.includes(changes.entity) ?? false })
}

export interface ChangeOptions<C extends Call> {
  /**
   * Everything on the screen is read again when this has ended. A page whose record is deleted must be left here, or it
   * would request what is gone.
   */
  readonly onDone?: (answer: AnswerOf<C>, input: ChangeInput<C>) => void | Promise<void>
  readonly showsFailure?: boolean
}

export type ChangeInput<C extends Call> = Omit<Input<C>, 'signal'>

/**
 * It changes something by a contract entry: `const create = useChange(createDevice)`, `create.mutate({ body })`.
 * Whatever shows such entities is read again.
 */
export function useChange<C extends Call>(
  call: C,
  { onDone, showsFailure = false }: ChangeOptions<C> = {},
): UseMutationResult<AnswerOf<C>, CallFailed, ChangeInput<C>> {
  return useMutation<AnswerOf<C>, CallFailed, ChangeInput<C>>({
    mutationFn: (input) => send(call, input as unknown as Input<C>),
    onSuccess: async (answer, input) => {
      await onDone?.(answer, input)
      await refreshAfter(call)
    },
    onError: (failure) => {
      if (!showsFailure) toasts.failure(failure)
    },
  })
}
