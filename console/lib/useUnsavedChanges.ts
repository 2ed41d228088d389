import { useLeaveGuard } from '#console/router/Router.tsx'
import { messages } from './call/messages.ts'
import { confirmDialog } from './notice/dialogs.ts'

/**
 * Asks before changes that are not saved are left behind: by a link or Back with our own question, by closing the tab
 * with the browser's. Another filter or panel of the same page leaves nothing behind.
 */
export function useUnsavedChanges(hasChanges: boolean, question: string = messages.unsavedChanges) {
  useLeaveGuard(hasChanges, () => confirmDialog({ title: 'Leave this page', text: question, isDangerous: true }))
}
