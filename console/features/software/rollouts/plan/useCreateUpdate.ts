import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refresh, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { createClientUpdate, previewClientUpdate, type UpdatePreview } from '#contract/http/software/rollouts.ts'
import { createBody, type PlanValues } from '../planValues.ts'

/** It asks before it starts a rollout, naming the number of devices and the version, and then shows its progress. */
export function useCreateUpdate() {
  const navigate = useNavigate()
  const change = useChange(createClientUpdate, {
    onDone: ({ id, version }) => {
      toasts.success(deviceMessages.updateStarted(version))
      navigate(address('/device-software/rollouts/$updateId', { updateId: String(id) }), { replace: true })
    },
  })
  const create = async (values: PlanValues, version: string, { updateCount, waves }: UpdatePreview) => {
    const text = deviceMessages.confirmCreateUpdate(updateCount, version, waves[0] ?? updateCount)
    if (
      !(await confirmDialog({
        title: 'Start update',
        text,
        isDangerous: values.isDowngradeMeant,
        call: createClientUpdate,
      }))
    )
      return
    // The call was refused because the devices have changed since, so the preview is out of date.
    change.mutate({ body: createBody(values) }, { onError: () => void refresh(previewClientUpdate) })
  }
  return { create, isBusy: change.isPending }
}
