import type { TurnOffTimes } from '#contract/http/deviceSettings.ts'
import { required } from '#domain/validation/messages.ts'

/** The groups of turn-off times, in the order of the form (P2 §3 "Turn-off schedule"). */
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

/** Both or neither (decisions: Calls): what is missing beside a time that is there. */
export function missingTimes(times: TurnOffTimes): Partial<Record<keyof TurnOffTimes, string>> {
  const missing: Partial<Record<keyof TurnOffTimes, string>> = {}
  for (const { from, to } of OFF_GROUPS) {
    if (times[from] === null && times[to] !== null) missing[from] = required('From')
    if (times[to] === null && times[from] !== null) missing[to] = required('To')
  }
  return missing
}
