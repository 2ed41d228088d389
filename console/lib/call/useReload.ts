import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallFailed } from './CallFailed.ts'
import { reload } from './useCall.ts'

/** A Reload button spins for the reload that an operator asked for, not for refreshes in the background. */
export function useReload<T>(result: UseQueryResult<T, CallFailed>) {
  const [isReloading, setIsReloading] = useState(false)
  const reloadNow = async () => {
    setIsReloading(true)
    await reload(result)
    setIsReloading(false)
  }
  return { isReloading, reloadNow }
}
