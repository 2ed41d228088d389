import { isLocalTime } from '#console/lib/time/localTime.ts'
import { type DayPlan, type DayPlanEntry, isSunMoment, momentLabel } from '#domain/displays/dayPlan.ts'
import { isSameValue } from '#domain/displays/presentSettings.ts'

export const DAY_PLAN_GROUPS = [
  { key: 'workdays', name: 'Workdays' },
  { key: 'weekends', name: 'Weekends' },
  { key: 'holidays', name: 'Holidays' },
] as const satisfies readonly { readonly key: keyof DayPlan; readonly name: string }[]

export const isSameEveryDay = ({ workdays, weekends, holidays }: Partial<DayPlan>): boolean =>
  isSameValue(workdays, weekends) && isSameValue(workdays, holidays)

const levelLabel = (backlightPercent: number | null) =>
  backlightPercent === null ? 'no plan' : backlightPercent === 0 ? 'dark' : `${backlightPercent} %`

export function entriesLabel(value: unknown): string {
  const entries = value as readonly DayPlanEntry[] | null | undefined
  if (!entries || entries.length === 0) return 'no plan'
  return entries
    .map(({ from, backlightPercent }) => `${levelLabel(backlightPercent)} from ${momentLabel(from)}`)
    .join(', ')
}

export function entryErrors(entries: readonly DayPlanEntry[]): ReadonlyMap<number, string> {
  const names = entries.map(({ from }) => momentLabel(from))
  return new Map(
    entries.flatMap(({ from }, index): [number, string][] => {
      if (!isSunMoment(from) && !isLocalTime(from)) return [[index, 'A time from 00:00 to 23:59']]
      return names.indexOf(names[index] ?? '') < index ? [[index, 'Another entry begins then']] : []
    }),
  )
}

export const isPlanReadable = (plan: Partial<DayPlan>): boolean =>
  DAY_PLAN_GROUPS.every(({ key }) => entryErrors(plan[key] ?? []).size === 0)
