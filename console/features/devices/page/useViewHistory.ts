import { useCallback, useEffect, useMemo, useState } from 'react'
import { useUser } from '#console/lib/session/session.ts'
import type { DeviceGuid, UserId } from '#domain/ids.ts'
import { readViewHistory, type ViewedDevice, withoutViewed, withViewed } from './viewHistory.ts'

// The history is kept by user, because the next user of this browser may not know of these devices.
const keyOf = (userId: UserId) => `wayside.viewHistory.${userId}`

/** It returns devices opened earlier, newest first, and puts an opened device in front (rules/devices 10). */
export function useViewHistory(opened: ViewedDevice | undefined): readonly ViewedDevice[] {
  const { id: userId } = useUser()
  const [history, setHistory] = useState(() => readViewHistory(localStorage.getItem(keyOf(userId))))
  const guid = opened?.guid
  const name = opened?.name

  useEffect(() => {
    if (guid === undefined || name === undefined) return
    // The history is read again, because another tab may have opened devices meanwhile.
    const next = withViewed(readViewHistory(localStorage.getItem(keyOf(userId))), { guid, name })
    localStorage.setItem(keyOf(userId), JSON.stringify(next))
    setHistory(next)
  }, [guid, name, userId])

  return useMemo(() => history.filter((viewed) => viewed.guid !== guid), [history, guid])
}

/** A device that the server does not know any more is removed from the history. */
export function useForgetViewed(gone: DeviceGuid | undefined) {
  const forget = useForgetViewedNow()
  useEffect(() => {
    if (gone !== undefined) forget(gone)
  }, [gone, forget])
}

export function useForgetViewedNow() {
  const { id: userId } = useUser()
  return useCallback(
    (gone: DeviceGuid) => {
      const key = keyOf(userId)
      localStorage.setItem(key, JSON.stringify(withoutViewed(readViewHistory(localStorage.getItem(key)), gone)))
    },
    [userId],
  )
}
