import { useEffect } from 'react'
import type { Address } from '#console/router/addressText.ts'
import { useBack } from '#console/router/Router.tsx'

/** It stands where a page has nothing to show without the id in its address (rules/addresses 8). */
export function GoBack({ fallback }: { readonly fallback: Address }) {
  const goBack = useBack(fallback)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(() => void goBack(), [])
  return null
}
