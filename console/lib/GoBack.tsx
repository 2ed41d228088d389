import { useEffect } from 'react'
import type { Address } from '#console/router/addressText.ts'
import { useBack } from '#console/router/Router.tsx'

/** Stands where a page has nothing to show without its route data (P2 §8). */
export function GoBack({ fallback }: { readonly fallback: Address }) {
  const goBack = useBack(fallback)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(() => void goBack(), [])
  return null
}
