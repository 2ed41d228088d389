import type { StreamEndReason } from '#contract/http/live.ts'
import type { EventStream } from '../call/route.ts'
import { createPlaces, takeAll } from './rateLimits.ts'
import type { SharedCounts } from './sharedCounts.store.ts'

/** Whose answer lasts: a user or an API token, at an address as limits know it (`limitKeyOf`). */
export interface Reader {
  readonly user: string
  readonly limitKey: string
}

export interface StreamLimits {
  readonly streamsPerUser: number
  /** Half of them may come from one address. */
  readonly streams: number
}

const DEFAULT_STREAM_LIMITS: StreamLimits = { streamsPerUser: 32, streams: 1000 }

interface OpenStream extends Reader {
  readonly end: (reason: StreamEndReason) => void
}

/**
 * Places for streams, which last as long as their readers like. The newest stream always gets one, because a reader that
 * comes back after its line broke would otherwise be kept out by what it has left behind. Each process counts its own,
 * because a stream takes the memory of the process in which it is open.
 *
 * @returns takes a place, and returns what gives it back
 */
export function createStreamPlaces({ streamsPerUser, streams }: StreamLimits = DEFAULT_STREAM_LIMITS) {
  const streamsPerAddress = Math.max(streamsPerUser, Math.ceil(streams / 2))
  /** The oldest stands first. */
  const open = new Set<OpenStream>()

  /** Ends the oldest stream of whoever has the most, so that nobody loses theirs to somebody else's many. */
  function makeRoom(most: number, group: readonly OpenStream[], reason: StreamEndReason): void {
    if (group.length <= most) return
    const byUser = [...Map.groupBy(group, ({ user }) => user).values()]
    const [oldest] = byUser.reduce((one, other) => (other.length > one.length ? other : one))
    if (oldest === undefined) return
    open.delete(oldest)
    oldest.end(reason)
  }

  return (stream: OpenStream): (() => void) => {
    open.add(stream)
    const openOf = (name: keyof Reader) => [...open].filter((one) => one[name] === stream[name])
    makeRoom(streamsPerUser, openOf('user'), 'user_limit')
    makeRoom(streamsPerAddress, openOf('limitKey'), 'address_limit')
    makeRoom(streams, [...open], 'server_limit')
    return () => void open.delete(stream)
  }
}

/** Its reader is told why, and does not come back at once. */
export const endOf = (stream: Pick<EventStream, 'send' | 'close'>) => (reason: StreamEndReason) => {
  stream.send('ended', { reason })
  stream.close()
}

const MOST_ROW_STREAMS_PER_USER = 3
const MOST_ROW_STREAMS_PER_ADDRESS = 30
const MOST_ROW_STREAMS = 60

/** Places for exports, which wait for one (`untilPlace`): whoever asks for rows wants all of them. */
export function createRowStreamPlaces(sharedCounts: SharedCounts | undefined) {
  const ofUser = createPlaces(MOST_ROW_STREAMS_PER_USER, sharedCounts?.places('rowStreams'))
  const ofAddress = createPlaces(MOST_ROW_STREAMS_PER_ADDRESS)
  const inAll = createPlaces(MOST_ROW_STREAMS)
  /** @throws RateLimited when all are taken */
  return ({ user, limitKey }: Reader) => takeAll([() => ofUser(user), () => ofAddress(limitKey), () => inAll('all')])
}
