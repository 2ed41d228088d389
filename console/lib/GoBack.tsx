import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Back to where one came from, or to another page when one came from nowhere. */
export function useGoBack(fallback: '/' | '/alerts' | '/users'): () => void {
  const router = useRouter()
  return () => {
    if (router.history.canGoBack()) router.history.back()
    else void router.navigate({ to: fallback, replace: true })
  }
}

/** Stands where a page has nothing to show without its route data (P2 §8). */
export function GoBack({ fallback }: { readonly fallback: '/' | '/alerts' | '/users' }) {
  const goBack = useGoBack(fallback)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(goBack, [])
  return null
}
