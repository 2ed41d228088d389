import { Select, TextInput } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { fieldTextOf, momentOfField } from '#console/lib/time/viewerZone.ts'
import { DevicePicker } from '#console/pickers/DevicePicker.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { QueryOf } from '#contract/call/call.ts'
import { listDeviceComponents } from '#contract/http/devices/components.ts'
import type { provePlay } from '#contract/http/insight/lightProofs.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'
import type { DeviceId } from '#domain/ids.ts'
import { periodProblem } from '#domain/proof/plays.ts'
import { HOUR_MS } from '#domain/units/time.ts'

interface Props {
  readonly deviceId: DeviceId | undefined
  readonly onDevice: (deviceId: DeviceId | undefined) => void
  readonly isBusy: boolean
  readonly onProve: (query: QueryOf<typeof provePlay>) => void
}

const USUAL_SECONDS = '15'
const ALL = 'all'

/** A play is short, so its beginning has seconds, in the viewer's zone. */
export function OnePlay({ deviceId, onDevice, isBusy, onProve }: Props) {
  const [from, setFrom] = useState(() => fieldTextOf(new Date(Date.now() - HOUR_MS)).replace(' ', 'T'))
  const [seconds, setSeconds] = useState(USUAL_SECONDS)
  const [display, setDisplay] = useState(ALL)
  const numbers = useDisplays(deviceId)
  const minute = momentOfField(from.slice(0, 16))
  const begin = minute && new Date(minute.getTime() + Number(from.slice(17, 19)) * 1000)
  const end = begin && new Date(begin.getTime() + Number(seconds) * 1000)
  const problem = begin && end && /^\d+$/.test(seconds) ? periodProblem(begin.getTime(), end.getTime()) : undefined
  const isComplete = deviceId !== undefined && begin && end && /^\d+$/.test(seconds) && problem === undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete) return
    const its = display === ALL || !numbers.includes(Number(display)) ? {} : { display: Number(display) }
    onProve({ deviceId, ...its, from: begin.toISOString(), to: end.toISOString() })
  }
  return (
    <Panel title="One play" isPadded>
      <form className="proof-form" onSubmit={submit}>
        <DevicePicker label="Device" value={deviceId} onChange={onDevice} />
        {numbers.length > 1 && (
          <Select
            label="Display"
            allowDeselect={false}
            data={[
              { value: ALL, label: 'All displays' },
              ...numbers.map((one) => ({ value: String(one), label: `Display ${one}` })),
            ]}
            value={display}
            onChange={(value) => setDisplay(value ?? ALL)}
          />
        )}
        <TextInput
          label="From"
          type="datetime-local"
          step={1}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          label="Seconds"
          inputMode="numeric"
          value={seconds}
          onChange={({ currentTarget }) => setSeconds(currentTarget.value.trim())}
          error={problem}
          rightSection="s"
        />
        <ActionButton icon={IconBulb} type="submit" loading={isBusy} disabled={!isComplete}>
          Prove play
        </ActionButton>
      </form>
    </Panel>
  )
}

function useDisplays(deviceId: DeviceId | undefined): readonly number[] {
  const { data } = useCall(
    listDeviceComponents,
    { deviceId: deviceId as DeviceId },
    { enabled: deviceId !== undefined, freshMs: 60_000 },
  )
  return (data ?? []).flatMap(({ categoryId, number }) => (categoryId === CATEGORY.display ? [number] : []))
}
