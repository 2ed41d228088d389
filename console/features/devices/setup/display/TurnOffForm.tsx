import { useState } from 'react'
import { NEVER_OFF, offTimesErrors } from '#console/deviceParts/settings/offGroups.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import {
  applyTurnDisplayOffSettings,
  type DeviceSettingsView,
  type TurnOffTimes,
} from '#contract/http/devices/setup.ts'
import { sectionOf } from '../read/useSetup.ts'
import { LocalTimeNote, SettingsForm } from '../section/SettingsForm.tsx'
import { type SectionForm, useSectionForm } from '../section/useSectionForm.ts'

const OffTimesFields = lazyPart(() =>
  import('#console/deviceParts/settings/OffTimesFields.tsx').then((part) => part.OffTimesFields),
)

const targetOf = ({ deviceId }: DeviceSettingsView) => ({ deviceId, section: 'turnOff', number: 1 }) as const

/** The picture of the week shows what is typed here, so the form is held above both. */
export function useTurnOff(view: DeviceSettingsView): SectionForm<TurnOffTimes> {
  const section = sectionOf(view, 'turnOff', 1)
  return useSectionForm<TurnOffTimes>(
    { ...NEVER_OFF, ...(section?.desired as Partial<TurnOffTimes> | null) },
    targetOf(view),
    section,
  )
}

interface TurnOffFormProps {
  readonly view: DeviceSettingsView
  readonly form: SectionForm<TurnOffTimes>
}

/** The off times (rules/setup 9) are times in the device's own zone. */
export function TurnOffForm({ view, form }: TurnOffFormProps) {
  const section = sectionOf(view, 'turnOff', 1)
  const { deviceId, timeZone } = view
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
    <SettingsForm
      {...{ form, section }}
      target={targetOf(view)}
      onApply={() => void submit()}
      // Both ends of a group are sent together.
      sendBack={(args, basedOn) =>
        sendOrQueue(applyTurnDisplayOffSettings, {
          body: { deviceId, ...NEVER_OFF, ...section?.desired, ...args, basedOn },
        })
      }
    >
      <div className="off-groups">
        <OffTimesFields values={form.values} errors={errors} onChange={form.change} />
      </div>
      <p className="setup-hint">
        <LocalTimeNote timeZone={timeZone} /> Leave a group empty to keep displays on.
      </p>
    </SettingsForm>
  )
}
