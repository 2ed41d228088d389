import { onSessionChange, readSession } from '#console/lib/call/sessionStore.ts'
import { type LiveEventName, startLiveStream, type Watched } from './liveStream.ts'
import { isSameWatched, watchedUnion, watchesNothing } from './watchedUnion.ts'

/**
 * `idle` means that nothing is watched; `down` that only polling keeps the screens current; `full` the same, because
 * more pages are open than the server has places for.
 */
export type LiveStatus = 'idle' | 'connecting' | 'live' | 'down' | 'full'

interface Listener {
  readonly onEvent: (name: LiveEventName, data: unknown) => void
  readonly onStatus: (status: LiveStatus) => void
}

/** Screens come and go together when a page changes, so that one new stream suffices for all of them. */
const SETTLE_MS = 200

/** The leading tab holds the one stream of this browser, for everything that any tab watches. */
export function leadLive(listener: Listener) {
  const watchedByTab = new Map<string, Watched>()
  let opened: Watched = { deviceIds: [], stateDeviceIds: [] }
  let close = () => {}
  let isUp = false
  let settling: ReturnType<typeof setTimeout> | undefined
  let token = readSession()?.accessToken

  const open = () => {
    settling = undefined
    const wanted = watchedUnion(watchedByTab.values())
    const nextToken = readSession()?.accessToken
    if (isSameWatched(wanted, opened) && nextToken === token) return
    const closeBefore = close
    const isOtherUser = nextToken !== token
    opened = wanted
    token = nextToken
    if (token === undefined || watchesNothing(wanted)) {
      closeBefore()
      close = () => {}
      isUp = false
      listener.onStatus('idle')
      return
    }
    if (isOtherUser) {
      closeBefore()
      isUp = false
    }
    // Another page watches other devices, and follows the previous stream until the new one is ready.
    if (!isUp) listener.onStatus('connecting')
    const closeThis = startLiveStream(wanted, {
      onEvent: listener.onEvent,
      onUp: () => {
        // The previous stream stays open until this one is ready, so that nothing is missed in between.
        closeBefore()
        isUp = true
        listener.onStatus('live')
      },
      onDown: (why: LiveStatus = 'down') => {
        isUp = false
        listener.onStatus(why)
      },
    })
    close = () => {
      closeBefore()
      closeThis()
    }
  }
  const settle = () => {
    settling ??= setTimeout(open, SETTLE_MS)
  }
  const stopListening = onSessionChange(settle)

  return {
    set: (tabId: string, watched: Watched) => {
      watchedByTab.set(tabId, watched)
      settle()
    },
    forget: (tabId: string) => {
      if (watchedByTab.delete(tabId)) settle()
    },
    stop: () => {
      stopListening()
      clearTimeout(settling)
      close()
    },
  }
}
