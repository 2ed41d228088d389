import type { DeviceFilter } from '#contract/call/listOptions.ts'
import { WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'

export type WrongFilter = WrongKind | 'wrong'

const WORDS: Readonly<Record<WrongFilter, string>> = {
  wrong: 'Anything',
  dark: 'Unplanned dark',
  silent: 'Not reporting',
  alerted: 'Active alerts',
  unanswered: 'Power command not answered',
  onBattery: 'On battery',
  inMaintenance: 'In maintenance',
  reportsRefused: 'Reports refused',
  clockWrong: 'Wrong clock',
  restarting: 'Client keeps restarting',
  identityConflict: 'Two machines report as one',
}

export const WRONG_FILTERS: readonly WrongFilter[] = ['wrong', ...WRONG_KINDS]

export const attentionLabel = (filter: WrongFilter): string => WORDS[filter]

export const wrongOf = (filter: DeviceFilter | undefined): WrongFilter | undefined =>
  WRONG_FILTERS.find((one) => one === filter)
