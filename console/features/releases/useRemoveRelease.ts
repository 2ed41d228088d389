import { confirmDialog } from '#console/lib/dialogs.tsx'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useChange } from '#console/lib/useCall.ts'
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
