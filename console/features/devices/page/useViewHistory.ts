import { useCallback, useEffect, useMemo, useState } from 'react'
import { useUser } from '#console/lib/session/session.ts'
import type { DeviceGuid, UserId } from '#domain/ids.ts'
import { readViewHistory, type ViewedDevice, withoutViewed, withViewed } from './viewHistory.ts'

// The history is kept by user, because the next user of this browser may not know of these devices.
const keyOf = (userId: UserId) => `wayside.viewHistory.${userId}`

/** It returns devices opened earlier, newest first, without the open one. */
export function useViewedDevices(opened?: DeviceGuid): readonly ViewedDevice[] {
  const { id: userId } = useUser()
  const [history] = useState(() => readViewHistory(localStorage.getItem(keyOf(userId))))
  return useMemo(() => history.filter((viewed) => viewed.guid !== opened), [history, opened])
}

/** It puts the open device in front (rules/devices 10), and returns the name that it had at an earlier visit. */
export function useViewHistory(guid: DeviceGuid, name: string | undefined): { readonly nameThen: string | undefined } {
  const { id: userId } = useUser()
  const [nameThen] = useState(
    () => readViewHistory(localStorage.getItem(keyOf(userId))).find((viewed) => viewed.guid === guid)?.name,
  )
  useEffect(() => {
    if (name === undefined) return
    // The history is read again, because another tab may have opened devices meanwhile.
    const next = withViewed(readViewHistory(localStorage.getItem(keyOf(userId))), { guid, name })
    localStorage.setItem(keyOf(userId), JSON.stringify(next))
  }, [guid, name, userId])
  return { nameThen }
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
