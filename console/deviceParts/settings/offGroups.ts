import { isLocalTime } from '#console/lib/time/localTime.ts'
import type { TurnOffTimes } from '#contract/http/devices/setup.ts'
import { required } from '#domain/validation/messages.ts'

/** The groups of turn-off times stand in the order of the form (rules/setup 9). */
export const OFF_GROUPS = [
  { name: 'Workdays', from: 'wdTimeOffFrom', to: 'wdTimeOffTo' },
  { name: 'Weekends', from: 'wkndTimeOffFrom', to: 'wkndTimeOffTo' },
  { name: 'Holidays', from: 'holTimeOffFrom', to: 'holTimeOffTo' },
] as const satisfies readonly { name: string; from: keyof TurnOffTimes; to: keyof TurnOffTimes }[]

export const NEVER_OFF: TurnOffTimes = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}

/** A group has both times or neither (rules/setup 9), and each must be a time. */
export function offTimesErrors(times: Partial<TurnOffTimes>): Partial<Record<keyof TurnOffTimes, string>> {
  const errors: Partial<Record<keyof TurnOffTimes, string>> = {}
  for (const { from, to } of OFF_GROUPS) {
    for (const [key, other, label] of [
      [from, to, 'From'],
      [to, from, 'To'],
    ] as const) {
      const time = times[key] ?? null
      if (time === null) {
        if ((times[other] ?? null) !== null) errors[key] = required(label)
      } else if (!isLocalTime(time)) errors[key] = 'A time from 00:00 to 23:59'
    }
  }
  return errors
}

/** A group that is still being typed is left empty, because half a group cannot be evaluated. */
export function readableTimes(times: TurnOffTimes): TurnOffTimes {
  const errors = offTimesErrors(times)
  const isBroken = ({ from, to }: (typeof OFF_GROUPS)[number]) => errors[from] !== undefined || errors[to] !== undefined
  const none = OFF_GROUPS.filter(isBroken).flatMap(({ from, to }) => [from, to])
  return { ...times, ...Object.fromEntries(none.map((key) => [key, null])) }
}
