import type { StreamEndReason } from '#contract/http/live.ts'
import type { EventStream } from '../call/route.ts'
import { createPlaces, takeAll } from './rateLimits.ts'
import type { SharedCounts } from './SharedCounts.store.ts'

/** A user or an API token, at an address as limits count it (`limitKeyOf`). */
export interface Reader {
  readonly user: string
  readonly limitKey: string
}

export interface StreamLimits {
  readonly streamsPerUser: number
  /** One address may hold half of them. */
  readonly streams: number
}

const DEFAULT_STREAM_LIMITS: StreamLimits = { streamsPerUser: 32, streams: 1000 }

interface OpenStream extends Reader {
  readonly end: (reason: StreamEndReason) => void
}

/**
 * Makes the places of streams, which last as long as their readers like. The newest stream always gets one: a reader
 * that reconnects after its line broke would otherwise be kept out by its own dead stream. Each process counts its own,
 * because a stream takes memory only there.
 * @returns a function that takes a place and returns one that gives it back
 */
export function createStreamPlaces({ streamsPerUser, streams }: StreamLimits = DEFAULT_STREAM_LIMITS) {
  const streamsPerAddress = Math.max(streamsPerUser, Math.ceil(streams / 2))
  const open = new Set<OpenStream>()

  /** Ends the oldest stream of the user with the most, so that nobody loses theirs to somebody else's many. */
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

/** Sends the reason first, so that the reader does not reconnect at once. */
export const endOf = (stream: Pick<EventStream, 'send' | 'close'>) => (reason: StreamEndReason) => {
  stream.send('ended', { reason })
  stream.close()
}

const MOST_ROW_STREAMS_PER_USER = 3
const MOST_ROW_STREAMS_PER_ADDRESS = 30
const MOST_ROW_STREAMS = 60

/** Makes the places of exports, which wait for one (`untilPlace`) because an export is worth nothing in part. */
export function createRowStreamPlaces(sharedCounts: SharedCounts | undefined) {
  const ofUser = createPlaces(MOST_ROW_STREAMS_PER_USER, sharedCounts?.places('rowStreams'))
  const ofAddress = createPlaces(MOST_ROW_STREAMS_PER_ADDRESS)
  const inAll = createPlaces(MOST_ROW_STREAMS)
  /** @throws RateLimited when all are taken */
  return ({ user, limitKey }: Reader) => takeAll([() => ofUser(user), () => ofAddress(limitKey), () => inAll('all')])
}
