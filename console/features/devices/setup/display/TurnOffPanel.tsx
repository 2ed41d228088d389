import { useState } from 'react'
import { OffTimesFields } from '#console/deviceParts/settings/OffTimesFields.tsx'
import { NEVER_OFF, offTimesErrors, readableTimes } from '#console/deviceParts/settings/offGroups.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import {
  applyTurnDisplayOffSettings,
  type DeviceSettingsView,
  type TurnOffTimes,
} from '#contract/http/devices/setup.ts'
import { sectionOf } from '../read/useSetup.ts'
import { LocalTimeNote, SectionPanel } from '../section/SectionPanel.tsx'
import { useSectionForm } from '../section/useSectionForm.ts'
import { OffTimesStrip } from './OffTimesStrip.tsx'

/** The off times (rules/setup 9) are previewed for a week in the device's own zone. */
export function TurnOffPanel({ view }: { readonly view: DeviceSettingsView }) {
  const section = sectionOf(view, 'turnOff', 1)
  const base: TurnOffTimes = { ...NEVER_OFF, ...(section?.desired as Partial<TurnOffTimes> | null) }
  const { deviceId, timeZone } = view
  const target = { deviceId, section: 'turnOff', number: 1 } as const
  const form = useSectionForm<TurnOffTimes>(base, target, section)
  const [isTried, setIsTried] = useState(false)
  const allErrors = offTimesErrors(form.values)
  const errors = isTried ? allErrors : {}

  const submit = async () => {
    setIsTried(true)
    if (Object.keys(allErrors).length > 0) return
    await form.apply((wanted, basedOn) =>
      sendOrQueue(applyTurnDisplayOffSettings, { body: { deviceId, ...wanted, basedOn } }),
    )
    setIsTried(false)
  }

  return (
    <SectionPanel
      title="Turn display(s) off"
      {...{ form, target, section }}
      onApply={() => void submit()}
      // Both ends of a group are sent together.
      sendBack={(args, basedOn) =>
        sendOrQueue(applyTurnDisplayOffSettings, { body: { deviceId, ...base, ...args, basedOn } })
      }
    >
      <div className="off-groups">
        <OffTimesFields values={form.values} errors={errors} onChange={form.change} />
      </div>
      <OffTimesStrip times={readableTimes(form.values)} timeZone={timeZone} holidays={view.holidays} />
      <p className="setup-hint">
        <LocalTimeNote timeZone={timeZone} /> Leave a group empty to keep displays on.
      </p>
    </SectionPanel>
  )
}
