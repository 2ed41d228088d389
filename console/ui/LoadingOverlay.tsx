import { Loader, LoadingOverlay as Overlay } from '@mantine/core'

interface LoadingOverlayProps {
  readonly isVisible: boolean
  /** It names what is being waited for, for screen readers. */
  readonly label?: string
}

/** It covers its nearest positioned parent while a call runs, so that nothing is clicked twice. */
export function LoadingOverlay({ isVisible, label = 'Loading' }: LoadingOverlayProps) {
  return (
    <Overlay
      visible={isVisible}
      zIndex={5}
      overlayProps={{ backgroundOpacity: 0.45, color: 'var(--bg)' }}
      loaderProps={{ children: <Loader size="sm" role="status" aria-label={label} /> }}
    />
  )
}
