import { messages } from './call/messages.ts'
import { toasts } from './call/toasts.ts'

/** Copies and says so (P1 §8). */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.success(messages.copied)
  } catch {
    toasts.warning(messages.copyFailed)
  }
}
