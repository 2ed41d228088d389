import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import { deleteRelease, listReleases, type Release } from '#contract/http/release.ts'

/** Removes a release after a question. The server refuses one that devices are being updated to. */
export function useRemoveRelease() {
  const change = useChange(deleteRelease, { refreshes: [listReleases] })
  return async ({ id, version }: Release): Promise<void> => {
    const text = messages.confirmRemoveRelease(version)
    if (!(await confirmDialog({ title: 'Remove release', text, isDangerous: true }))) return
    change.mutate({ query: { id } }, { onSuccess: () => toasts.success(messages.releaseRemoved(version)) })
  }
}
