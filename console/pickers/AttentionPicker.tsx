import { Select } from '@mantine/core'
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
const WRONG_FILTERS: readonly WrongFilter[] = ['wrong', ...WRONG_KINDS]
export const NOW_CHOICES = WRONG_FILTERS.map((value) => ({ value, label: WORDS[value] }))

export const attentionLabel = (filter: WrongFilter): string => WORDS[filter]

export const wrongOf = (filter: DeviceFilter | undefined): WrongFilter | undefined =>
  WRONG_FILTERS.find((one) => one === filter)

interface Props {
  readonly value: WrongFilter | undefined
  readonly onChange: (value: WrongFilter | undefined) => void
}

/** The kinds are those that the Overview counts. */
export function NowPicker({ value, onChange }: Props) {
  return (
    <Select
      className="field"
      aria-label="Needs attention"
      placeholder="Needs attention"
      data={[...NOW_CHOICES]}
      value={value ?? null}
      onChange={(chosen) => onChange(wrongOf(chosen as DeviceFilter | undefined))}
      clearable
    />
  )
}
