import { useState } from 'react'
import { isPlanReadable, isSameEveryDay } from '#console/deviceParts/dayPlanLabels.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { lazyPart } from '#console/ui/lazyPart.tsx'
import { applyDayPlanSettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { DAY_PLAN_KEYS, type DayPlan, dayPlanRefusal, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import { sectionOf } from '../read/useSetup.ts'
import { LocalTimeNote, SettingsForm } from '../section/SettingsForm.tsx'
import { type SectionForm, useSectionForm } from '../section/useSectionForm.ts'

const DayPlanFields = lazyPart(() =>
  import('#console/deviceParts/settings/DayPlanFields.tsx').then((part) => part.DayPlanFields),
)

const targetOf = ({ deviceId }: DeviceSettingsView) => ({ deviceId, section: 'dayPlan', number: 1 }) as const

/** The picture of the week shows what is typed here, so the form is held above both. */
export function useDayPlan(view: DeviceSettingsView): SectionForm<DayPlan> {
  const section = sectionOf(view, 'dayPlan', 1)
  return useSectionForm<DayPlan>(
    { ...NO_DAY_PLAN, ...(section?.desired as Partial<DayPlan> | null) },
    targetOf(view),
    section,
    // One field holds a plan that is the same every day.
    (plan, { length }) => (isSameEveryDay(plan) ? Math.min(1, length) : length),
  )
}

interface DayPlanFormProps {
  readonly view: DeviceSettingsView
  readonly form: SectionForm<DayPlan>
}

/** The plan sets the backlight by time of day. */
export function DayPlanForm({ view, form }: DayPlanFormProps) {
  const { deviceId, timeZone } = view
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
    <SettingsForm
      form={form}
      target={targetOf(view)}
      section={sectionOf(view, 'dayPlan', 1)}
      unknownToClient={view.knowsDayPlans === false && 'day plans'}
      onApply={() => void submit()}
      sendBack={(args, basedOn) => sendPlan(args as Partial<DayPlan>, basedOn)}
    >
      <DayPlanFields values={form.values} showsErrors={isTried} onChange={form.change} />
      <p className="setup-hint">
        0 % is planned dark. <LocalTimeNote timeZone={timeZone} />
      </p>
      {isTried && refusal && (
        <p className="setup-warning" role="alert">
          {refusal.sentence}
        </p>
      )}
    </SettingsForm>
  )
}

const asSent = (plan: Partial<DayPlan>) =>
  Object.fromEntries(DAY_PLAN_KEYS.flatMap((key) => (plan[key] ? [[key, [...plan[key]]]] : [])))
