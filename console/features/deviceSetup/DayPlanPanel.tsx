import { useState } from 'react'
import { DayPlanFields } from '#console/device/DayPlanFields.tsx'
import { entryErrors, isPlanReadable } from '#console/device/dayPlanWords.ts'
import { useOpenDevice } from '#console/device/openDevice.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { Panel } from '#console/ui/Panel.tsx'
import { applyDayPlanSettings, type DeviceSettingsView } from '#contract/http/deviceSettings.ts'
import { DAY_PLAN_KEYS, type DayPlan, dayPlanRefusal, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import { DayPlanStrip } from './DayPlanStrip.tsx'
import { sectionOf } from './read/useSetup.ts'
import { SectionFoot } from './SectionFoot.tsx'
import { useSectionForm } from './useSectionForm.ts'

const NO_READINGS = new Map()

/** Levels of the backlight by the time of the day, with the week that comes of them at the device's place. */
export function DayPlanPanel({ view }: { readonly view: DeviceSettingsView }) {
  const { timeZoneIsAssumed } = useOpenDevice()
  const { deviceId, timeZone } = view
  const section = sectionOf(view, 'dayPlan', 1)
  const base: DayPlan = { ...NO_DAY_PLAN, ...(section?.desired as Partial<DayPlan> | null) }
  const target = { deviceId, section: 'dayPlan', number: 1 } as const
  const form = useSectionForm<DayPlan>(base, target, section)
  const [isTried, setIsTried] = useState(false)
  const refusal = dayPlanRefusal(form.values, view)

  const submit = async () => {
    setIsTried(true)
    if (!isPlanReadable(form.values) || refusal) return
    await form.apply((wanted, basedOn) => sendPlan(wanted, basedOn))
    setIsTried(false)
  }
  const sendPlan = (plan: Partial<DayPlan>, basedOn: string | null) =>
    sendOrQueue(applyDayPlanSettings, { body: { deviceId, ...asSent(plan), basedOn } })

  return (
    <Panel title="Brightness by time" isPadded>
      <form
        className="setup-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {view.knowsDayPlans === false && (
          <p className="setup-warning" role="note">
            The client of this device does not know day plans. Update the client first.
          </p>
        )}
        <DayPlanFields values={form.values} showsErrors={isTried} onChange={form.change} />
        <DayPlanStrip plan={readable(form.values)} view={view} />
        <p className="setup-hint">
          Off times go over the plan, the plan over the ambient light, that over the level set by hand. Local time of
          the device: {timeZone}
          {timeZoneIsAssumed && ' (assumed)'}. 0 % is planned dark.
        </p>
        {isTried && refusal && (
          <p className="setup-warning" role="alert">
            {refusal.sentence}
          </p>
        )}
        <SectionFoot
          {...{ form, target, section }}
          readings={NO_READINGS}
          sendBack={(args, basedOn) => sendPlan(args as Partial<DayPlan>, basedOn)}
        />
      </form>
    </Panel>
  )
}

/** A kind of day with an entry that is still being typed is shown without it. */
const readable = (plan: DayPlan): DayPlan => {
  const withoutErrors = (key: keyof DayPlan) => plan[key].filter((_, index) => !entryErrors(plan[key]).has(index))
  return {
    workdays: withoutErrors('workdays'),
    weekends: withoutErrors('weekends'),
    holidays: withoutErrors('holidays'),
  }
}

/** As the call takes it: lists of its own. */
const asSent = (plan: Partial<DayPlan>) =>
  Object.fromEntries(DAY_PLAN_KEYS.flatMap((key) => (plan[key] ? [[key, [...plan[key]]]] : [])))
