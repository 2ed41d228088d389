import { IconSelector } from '@tabler/icons-react'
import './PlainSelect.css'

interface Choice {
  readonly value: string
  readonly label: string
}

interface Props {
  readonly 'aria-label': string
  readonly choices: readonly Choice[]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The browser's own select looks like that of the kit, for pages that are shown before the kit is loaded. */
export function PlainSelect({ 'aria-label': label, choices, value, onChange }: Props) {
  return (
    <div className="field plain-select">
      <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <IconSelector size={13} stroke={1.6} aria-hidden />
    </div>
  )
}
