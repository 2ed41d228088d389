import { useEffect } from 'react'
import type { Address } from '#console/router/addressText.ts'
import { useBack } from '#console/router/Router.tsx'

/** It replaces a page that can show nothing without the id in its address (rules/addresses 8). */
export function GoBack({ fallback }: { readonly fallback: Address }) {
  const goBack = useBack(fallback)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(() => void goBack(), [])
  return null
}
