import { Select } from '#console/ui/kit/laterFields.ts'

interface Props<Id extends number> {
  readonly name: string
  readonly placeholder?: string
  readonly choices: readonly { readonly id: Id; readonly name: string }[]
  readonly value: Id | undefined
  readonly onChange: (value: Id | undefined) => void
}

/** It filters by one of a few that never change, such as severities. */
export function IdPicker<Id extends number>({ name, placeholder = name, choices, value, onChange }: Props<Id>) {
  return (
    <Select
      aria-label={name}
      placeholder={placeholder}
      data={choices.map((choice) => ({ value: String(choice.id), label: choice.name }))}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : (Number(chosen) as Id))}
      clearable
    />
  )
}
