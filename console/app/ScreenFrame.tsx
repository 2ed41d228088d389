import type { ReactNode } from 'react'
import { useLocation } from '#console/router/Router.tsx'
import { ErrorBoundary } from '#console/ui/page/ErrorBoundary.tsx'

/** A change of address tries again after a failure. */
export function ScreenFrame({ children }: { readonly children: ReactNode }) {
  return <ErrorBoundary resetKey={useLocation().address}>{children}</ErrorBoundary>
}
