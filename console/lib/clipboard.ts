import { messages } from './messages.ts'
import { toasts } from './toasts.ts'

/** Copies and says so (P1 §8). */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.success(messages.copied)
  } catch {
    toasts.warning(messages.copyFailed)
  }
}
