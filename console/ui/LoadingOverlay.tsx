import './LoadingOverlay.css'

interface LoadingOverlayProps {
  readonly isVisible: boolean
  /** It names what is being waited for, for screen readers. */
  readonly label?: string
}

/** It covers its nearest positioned parent while a call runs, so that nothing is clicked twice. */
export function LoadingOverlay({ isVisible, label = 'Loading' }: LoadingOverlayProps) {
  return (
    isVisible && (
      <div className="loading-overlay">
        <span role="status" aria-label={label} />
      </div>
    )
  )
}
