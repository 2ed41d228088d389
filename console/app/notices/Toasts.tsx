import { type Icon, IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Toast, waitingToasts } from '#console/lib/call/toasts.ts'
import { noticesLandmark } from '#console/ui/plain/noticesLandmark.ts'
import { PlainIconButton } from '#console/ui/plain/PlainButton.tsx'
import './toasts.css'

const ICONS: Record<Toast['kind'], Icon> = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconCircleX,
}
const MOST_SHOWN = 6

/** It needs no UI kit, which can no longer be loaded when a toast says that the server is out of reach. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  useEffect(
    () => waitingToasts.takeAll((toast) => setToasts((all) => [...all.filter((one) => !isSame(one, toast)), toast])),
    [],
  )
  if (toasts.length === 0) return null
  return createPortal(
    <div className="toasts">
      {toasts.slice(0, MOST_SHOWN).map((toast) => (
        <ToastCard
          key={`${toast.kind}: ${toast.message}`}
          toast={toast}
          onClose={() => setToasts((all) => all.filter((one) => one !== toast))}
        />
      ))}
    </div>,
    noticesLandmark(),
  )
}

/** One toast shows a repeated sentence, and its time starts again. */
const isSame = (one: Toast, other: Toast) => one.kind === other.kind && one.message === other.message

/** The toast stays while the pointer rests on it, because somebody is reading it. */
function ToastCard({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }) {
  const { kind, message, shownMs } = toast
  const [isRead, setRead] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its time starts again with each toast, not with each drawing
  useEffect(() => {
    if (isRead) return
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  }, [toast, isRead])
  const ToastIcon = ICONS[kind]
  return (
    <div
      className={`toast toast-${kind}`}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setRead(true)}
      onPointerLeave={() => setRead(false)}
    >
      <ToastIcon size={20} aria-hidden />
      <div className="toast-text">{message}</div>
      <PlainIconButton aria-label="Dismiss" sizePx={28} onClick={onClose}>
        <IconX size={16} aria-hidden />
      </PlainIconButton>
    </div>
  )
}
