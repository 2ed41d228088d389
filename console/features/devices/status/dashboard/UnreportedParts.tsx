import { Button } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useState } from 'react'
import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { send } from '#console/lib/call/api.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refresh, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { useMay } from '#console/lib/session/session.ts'
import type { BodyOf } from '#contract/call/call.ts'
import { listDeviceComponents, setDeviceComponents } from '#contract/http/devices/components.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DeviceHealth, getDeviceHealth } from '#contract/http/devices/status.ts'
import { componentTitle } from '#domain/components/componentFields.ts'
import './unreported.css'

type Part = DeviceHealth['unreported'][number]
type Answer = 'remove' | 'expect'

interface Props {
  readonly device: Pick<Device, 'id' | 'name'>
  readonly parts: readonly Part[]
}

/** It asks of each component that the device never reported whether it exists, and is absent where there is none. */
export function UnreportedParts({ device, parts }: Props) {
  const mayAnswer = useMay(setDeviceComponents.permission)
  const [busyId, setBusyId] = useState<number>()
  const change = useChange(setDeviceComponents, { onDone: () => toasts.success(deviceMessages.componentsSaved) })
  if (parts.length === 0) return null

  const answer = async (part: Part, what: Answer) => {
    const name = componentTitle(part)
    if (what === 'remove') {
      const text = deviceMessages.confirmRemovePart(name, device.name)
      if (!(await confirmDialog({ title: `Remove ${name}`, text, isDangerous: true }))) return
    }
    setBusyId(part.componentId)
    try {
      const body = await answered(device.id, part, what)
      if (body.length > 0) await change.mutateAsync({ body })
      await refresh(getDeviceHealth)
    } finally {
      setBusyId(undefined)
    }
  }

  return (
    <section className="panel unreported" aria-label="Not reported yet">
      <h2>
        <IconHelp size={16} aria-hidden />
        Not reported yet
      </h2>
      <ul>
        {parts.map((part) => (
          <li key={part.componentId}>
            <span>
              <b>{componentTitle(part)}</b>
              {isNamed(part) && <span className="dim"> {part.label}</span>}
            </span>
            <span className="dim">This device has never reported it. Is it installed?</span>
            {mayAnswer && (
              <span className="unreported-answers">
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Remove ${componentTitle(part)}`}
                  loading={busyId === part.componentId}
                  onClick={() => void answer(part, 'remove').catch(() => undefined)}
                >
                  Remove
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Expected later: ${componentTitle(part)}`}
                  disabled={busyId === part.componentId}
                  onClick={() => void answer(part, 'expect').catch(() => undefined)}
                >
                  Expected later
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const isNamed = (part: Part) => part.label !== '' && part.label !== componentTitle(part)

/** The component is read again first, so that nothing older than the page is saved. */
async function answered(
  deviceId: Device['id'],
  { componentId }: Part,
  what: Answer,
): Promise<BodyOf<typeof setDeviceComponents>> {
  const components = await send(listDeviceComponents, { query: { deviceId } })
  return components
    .filter(({ id }) => id === componentId)
    .map((component) => ({ ...component, ...(what === 'remove' ? { removed: true } : { isExpected: true }) }))
}
