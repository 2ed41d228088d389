import { Component, type ErrorInfo, type ReactNode } from 'react'
import { BrokenNote } from './BrokenNote.tsx'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** A change of the key, for example of the address, tries again. */
  readonly resetKey?: string
}

interface ErrorBoundaryState {
  readonly hasFailed: boolean
  readonly resetKey: string | undefined
}

/** A screen that fails must not take the shell, and the other screens, with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return props.resetKey === state.resetKey ? null : { hasFailed: false, resetKey: props.resetKey }
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return <BrokenNote onRetry={() => this.setState({ hasFailed: false })} />
  }
}
