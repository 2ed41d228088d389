import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { PlanValues } from '../planValues.ts'
import { devicesText } from '../rolloutLabels.ts'

export interface PlanPartProps {
  readonly values: PlanValues
  readonly set: (changes: Partial<PlanValues>) => void
}

/** A choice that is not made includes all devices. */
export function DeviceChoice({ values: { customerId, modelId, deviceIds }, set }: PlanPartProps) {
  const isNarrowed = customerId !== undefined || modelId !== undefined || deviceIds !== undefined
  return (
    <Panel title="Devices" meta={isNarrowed ? undefined : 'All devices'} isPadded>
      <div className="plan-choice">
        <CustomerPicker
          label="Customer"
          placeholder="All customers"
          value={customerId}
          onChange={(next) => set({ customerId: next })}
        />
        <ModelPicker
          label="Model"
          placeholder="All models"
          value={modelId}
          onChange={(next) => set({ modelId: next })}
        />
      </div>
      {deviceIds && (
        <Button
          variant="default"
          className="plan-selection"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={`Remove: ${devicesText(deviceIds.length)} selected in the list`}
          onClick={() => set({ deviceIds: undefined })}
        >
          {devicesText(deviceIds.length)} selected in the list
        </Button>
      )}
    </Panel>
  )
}
