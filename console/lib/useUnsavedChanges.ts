import { useLeaveGuard } from '#console/router/Router.tsx'
import { messages } from './call/messages.ts'
import { confirmDialog } from './notice/dialogs.ts'

/**
 * It asks before unsaved changes are left behind: by its own question for a link or Back, by the browser's for closing
 * the tab. Another filter or panel of the same page leaves nothing behind.
 */
export function useUnsavedChanges(hasChanges: boolean, question: string = messages.unsavedChanges) {
  useLeaveGuard(hasChanges, () => confirmDialog({ title: 'Leave this page', text: question, isDangerous: true }))
}
