import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useLiveCommands, useOnLiveAgain } from '#console/lib/live/live.ts'
import { type DeviceCommand, listDeviceCommands } from '#contract/http/devices/commands.ts'
import type { DeviceId } from '#domain/ids.ts'
import { withNewer } from './commandList.ts'

const COMMANDS_PER_PAGE = 50

/** It reads the commands of a device page by page, newest first, and keeps them current by live events. */
export function useCommandList(deviceId: DeviceId) {
  const [live, setLive] = useState<readonly DeviceCommand[]>([])
  const pages = useInfiniteQuery({
    queryKey: [listDeviceCommands.path, { deviceId }],
    queryFn: ({ pageParam, signal }) =>
      send(listDeviceCommands, {
        query: { deviceId, limit: COMMANDS_PER_PAGE, ...(pageParam === null ? {} : { next: pageParam }) },
        signal,
      }),
    meta: { shows: listDeviceCommands.shows ?? [] },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_EVERY_MS.besideLive,
  })
  useLiveCommands(deviceId, ({ commands }) => setLive((known) => withNewer(known, commands)))
  useOnLiveAgain(() => void pages.refetch())

  return {
    commands:
      pages.data &&
      withNewer(
        pages.data.pages.flatMap(({ rows }) => rows),
        live,
      ),
    failure: pages.error as CallFailed | null,
    retry: () => void pages.refetch(),
    loadOlder: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingOlder: pages.isFetchingNextPage,
  }
}
