import { messages } from './call/messages.ts'
import { toasts } from './call/toasts.ts'
import { selectedTextDialog } from './notice/dialogs.ts'

/**
 * Copies and says so (rules/messages 8). Without HTTPS browsers give pages no clipboard: then the text is shown
 * selected, so that one press of two keys copies it.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.success(messages.copied)
  } catch {
    selectedTextDialog(messages.copyFailed, messages.copyByKeys(window.isSecureContext), text)
  }
}
