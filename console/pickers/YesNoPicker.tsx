import { Select } from '#console/ui/kit/laterFields.ts'

type Answer = 'yes' | 'no'

interface Props {
  readonly name: string
  readonly yes: string
  readonly no: string
  readonly value: Answer | undefined
  readonly onChange: (value: Answer | undefined) => void
}

export function YesNoPicker({ name, yes, no, value, onChange }: Props) {
  return (
    <Select
      aria-label={name}
      placeholder={name}
      clearable
      data={[
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ]}
      value={value ?? null}
      onChange={(chosen) => onChange((chosen ?? undefined) as Answer | undefined)}
    />
  )
}
