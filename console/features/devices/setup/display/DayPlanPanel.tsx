import { useState } from 'react'
import { entryErrors, isPlanReadable } from '#console/deviceParts/dayPlanLabels.ts'
import { DayPlanFields } from '#console/deviceParts/settings/DayPlanFields.tsx'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { applyDayPlanSettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { DAY_PLAN_KEYS, type DayPlan, dayPlanRefusal, NO_DAY_PLAN } from '#domain/displays/dayPlan.ts'
import { sectionOf } from '../read/useSetup.ts'
import { LocalTimeNote, SectionPanel } from '../section/SectionPanel.tsx'
import { useSectionForm } from '../section/useSectionForm.ts'
import { DayPlanStrip } from './DayPlanStrip.tsx'

/** The plan sets the backlight by time of day, and is previewed for a week at the device's place. */
export function DayPlanPanel({ view }: { readonly view: DeviceSettingsView }) {
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
    <SectionPanel
      title="Brightness by time"
      {...{ form, target, section }}
      unknownToClient={view.knowsDayPlans === false && 'day plans'}
      onApply={() => void submit()}
      sendBack={(args, basedOn) => sendPlan(args as Partial<DayPlan>, basedOn)}
    >
      <DayPlanFields values={form.values} showsErrors={isTried} onChange={form.change} />
      <DayPlanStrip plan={readable(form.values)} view={view} />
      <p className="setup-hint">
        Off times take priority, then the plan, then ambient light, then the manual level. 0 % is planned dark.{' '}
        <LocalTimeNote timeZone={timeZone} />
      </p>
      {isTried && refusal && (
        <p className="setup-warning" role="alert">
          {refusal.sentence}
        </p>
      )}
    </SectionPanel>
  )
}

const readable = (plan: DayPlan): DayPlan => {
  const withoutErrors = (key: keyof DayPlan) => plan[key].filter((_, index) => !entryErrors(plan[key]).has(index))
  return {
    workdays: withoutErrors('workdays'),
    weekends: withoutErrors('weekends'),
    holidays: withoutErrors('holidays'),
  }
}

const asSent = (plan: Partial<DayPlan>) =>
  Object.fromEntries(DAY_PLAN_KEYS.flatMap((key) => (plan[key] ? [[key, [...plan[key]]]] : [])))
