import { Select } from '@mantine/core'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Every country as the browser names it; codes that are no longer used have the names of others. */
const COUNTRIES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  .map((value) => ({ value, label: names.of(value) ?? '' }))
  .filter(({ label }, index, all) => label !== '' && all.findIndex((one) => one.label === label) === index)
  .toSorted((a, b) => a.label.localeCompare(b.label))

interface Props {
  readonly label?: string
  readonly description?: string
  readonly value: string
  readonly onChange: (code: string) => void
}

/** A country by its ISO code; empty means that no country is chosen. */
export const CountryCodePicker = ({ label = 'Country', value, onChange, ...looks }: Props) => (
  <Select
    {...looks}
    label={label}
    data={COUNTRIES}
    searchable
    clearable
    clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    placeholder="Any"
    value={value === '' ? null : value}
    onChange={(code) => onChange(code ?? '')}
  />
)
