import { type NotificationData, notifications } from '@mantine/notifications'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { createElement } from 'react'
import { CallFailed, failureMessage } from './CallFailed.ts'

const SHOWN_MS = 4_000
const ERROR_SHOWN_MS = 8_000
const PASSWORD_SUCCESS_SHOWN_MS = 3_000

type Kind = 'info' | 'success' | 'warning' | 'error'
const ICONS: Record<Kind, Icon> = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconCircleX,
}

/** The same sentence twice is one toast, whose time starts again. */
function show(kind: Kind, message: string, shownMs: number) {
  const id = `${kind}: ${message}`
  const toast: NotificationData = {
    id,
    message,
    icon: createElement(ICONS[kind], { size: 20, 'aria-hidden': true }),
    autoClose: shownMs,
    className: `toast toast-${kind}`,
    role: kind === 'error' ? 'alert' : 'status',
  }
  notifications.hide(id)
  notifications.show(toast)
}

export const toasts = {
  info: (message: string) => show('info', message, SHOWN_MS),
  success: (message: string) => show('success', message, SHOWN_MS),
  passwordSuccess: (message: string) => show('success', message, PASSWORD_SUCCESS_SHOWN_MS),
  warning: (message: string) => show('warning', message, SHOWN_MS),
  error: (message: string) => show('error', message, ERROR_SHOWN_MS),
  /** For what an operator started. The end of a session is shown by the login page, not by a toast. */
  failure: (failure: unknown) => {
    if (failure instanceof CallFailed && failure.status === 401) return
    show('error', failureMessage(failure), ERROR_SHOWN_MS)
  },
}
