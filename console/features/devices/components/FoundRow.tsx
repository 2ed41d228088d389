import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { failureMessage } from '#console/lib/call/CallFailed.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { callKey, queryClient, useChange } from '#console/lib/call/useCall.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Select } from '#console/ui/kit/laterFields.ts'
import { setDeviceComponents } from '#contract/http/devices/components.ts'
import { type DeviceDrivers, getDeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { componentModelTitle } from '#domain/components/componentModels.ts'
import { driverByName } from '#domain/drivers/drivers.ts'
import { saveBody } from './componentEdits.ts'
import { partTitle } from './driverLabels.ts'
import { componentFor, FOUND_NOTES, type FoundPart, foundState, mayBeChosen, modelsFor } from './foundParts.ts'
import { PartRow } from './PartRow.tsx'

interface Props {
  readonly device: Device
  readonly found: FoundPart
  readonly drivers: DeviceDrivers
}

/** Accepting a part adds its component where the device has none, and uses its driver where the console may. */
export function FoundRow({ device: { id: deviceId }, found, drivers }: Props) {
  const { part, driver, options, words } = found
  const models = modelsFor(part)
  const [modelId, setModelId] = useState(models.length === 1 ? models[0]?.id : undefined)
  const choose = useChange(setDeviceDriver, {
    showsFailure: true,
    onDone: (answer) => {
      queryClient.setQueryData(callKey(getDeviceDrivers, { deviceId }), answer)
      toasts.success(deviceMessages.driverSaved)
    },
  })
  const accept = () => choose.mutate({ body: { deviceId, part: part as never, driver, options: options ?? {} } })
  const add = useChange(setDeviceComponents, {
    showsFailure: true,
    onDone: () => {
      toasts.success(deviceMessages.componentsSaved)
      if (mayBeChosen(found, drivers.client)) accept()
    },
  })
  const state = foundState(found, drivers)
  const isMissing = state === 'noComponent'
  const failed = [choose, add].find(({ isError }) => isError)?.error
  const name = partTitle(part)
  return (
    <PartRow
      deviceId={deviceId}
      part={part}
      title={driverByName(driver)?.title ?? driver}
      details={words}
      note={FOUND_NOTES[state]}
      state={state === 'chosen' ? 'waiting' : state === 'used' ? 'used' : 'file'}
      isTestable={state === 'used' || state === 'chosen'}
      failure={failed ? failureMessage(failed) : undefined}
    >
      {isMissing && models.length > 1 && (
        <Select
          size="xs"
          aria-label={`Model of ${name}`}
          placeholder="Model"
          data={models.map((model) => ({ value: String(model.id), label: componentModelTitle(model) }))}
          value={modelId === undefined ? null : String(modelId)}
          onChange={(value) => setModelId(models.find(({ id }) => String(id) === value)?.id)}
        />
      )}
      {(state === 'offered' || isMissing) && (
        <ActionButton
          icon={IconCheck}
          iconSize={14}
          size="compact-sm"
          disabled={isMissing && modelId === undefined}
          loading={choose.isPending || add.isPending}
          onClick={() =>
            modelId !== undefined && isMissing
              ? add.mutate({ body: saveBody(deviceId, [componentFor(part, modelId)]) })
              : accept()
          }
        >
          Accept<span className="visually-hidden"> {name}</span>
        </ActionButton>
      )}
    </PartRow>
  )
}
