import { messages } from './call/messages.ts'
import { toasts } from './call/toasts.ts'
import { selectedTextDialog } from './notice/dialogs.ts'

/**
 * It copies a text and says so (rules/messages 8). Browsers give a page without HTTPS no clipboard; the text is then
 * shown selected, so that the copy keys copy it.
 */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.success(messages.copied)
  } catch {
    selectedTextDialog(messages.copyFailed, messages.copyByKeys(window.isSecureContext), text)
  }
}
