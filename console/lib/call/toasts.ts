import { Waiting } from '#console/lib/notice/Waiting.ts'
import { CallFailed, failureMessage } from './CallFailed.ts'

const SHOWN_MS = 4_000
const ERROR_SHOWN_MS = 8_000
const PASSWORD_SUCCESS_SHOWN_MS = 3_000

export interface Toast {
  readonly kind: 'info' | 'success' | 'warning' | 'error'
  readonly message: string
  readonly shownMs: number
}

export const waitingToasts = new Waiting<Toast>()

const show = (kind: Toast['kind'], message: string, shownMs: number) => waitingToasts.put({ kind, message, shownMs })

export const toasts = {
  info: (message: string) => show('info', message, SHOWN_MS),
  success: (message: string) => show('success', message, SHOWN_MS),
  passwordSuccess: (message: string) => show('success', message, PASSWORD_SUCCESS_SHOWN_MS),
  warning: (message: string) => show('warning', message, SHOWN_MS),
  error: (message: string) => show('error', message, ERROR_SHOWN_MS),
  /** It is for actions that an operator started. The login page shows the end of a session, so no toast does. */
  failure: (failure: unknown) => {
    if (failure instanceof CallFailed && failure.status === 401) return
    show('error', failureMessage(failure), ERROR_SHOWN_MS)
  },
}
