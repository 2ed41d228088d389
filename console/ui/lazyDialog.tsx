import { type ComponentType, useEffect } from 'react'
import { lazyPart, useFirstUse } from './lazyPart.tsx'

interface DialogProps {
  /** A dialog without it is on the page only while it is open. */
  readonly isOpen?: boolean
  readonly onClose: () => void
}

/**
 * It loads a dialog, with its form and whatever else only it needs, when it first opens:
 * `lazyDialog(() => import('./X.tsx').then((part) => part.X))`. Where that fails, a toast says so and the dialog counts
 * as closed, so that the next click tries again.
 */
export function lazyDialog<Props extends DialogProps>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Dialog = lazyPart(load)
  return function LazyDialog(props: Props) {
    const [isHere, reach] = useFirstUse(Dialog, props.onClose)
    const isOpen = props.isOpen ?? true
    // biome-ignore lint/correctness/useExhaustiveDependencies: each opening asks for it once
    useEffect(() => {
      if (isOpen) void reach()
    }, [isOpen])
    return isHere ? <Dialog {...props} /> : null
  }
}
