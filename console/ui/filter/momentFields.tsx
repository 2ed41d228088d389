import type { ReactNode } from 'react'
import { FilterMoment } from './filterMoment.ts'
import './FilterBar.css'

interface Moments {
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
}

interface Props {
  readonly fromName: string
  readonly toName: string
  readonly filter: Moments
  readonly onChange: (change: Moments) => void
}

/** The two fields filter by moments that somebody types or picks; either of them may be left out. */
export function momentFields({ fromName, toName, filter: { dateFrom, dateTo }, onChange }: Props): ReactNode[] {
  const field = (name: string, label: string, labelWidthPx: number, text: string | undefined) => ({
    className: 'filter-moment',
    name,
    isClearable: true,
    leftSection: label,
    leftSectionWidth: labelWidthPx,
    leftSectionPointerEvents: 'none' as const,
    value: text === undefined ? undefined : new Date(text),
  })
  return [
    <FilterMoment
      key={fromName}
      {...field(fromName, 'From', 44, dateFrom)}
      onChange={(at) => onChange({ dateFrom: at?.toISOString() })}
    />,
    <FilterMoment
      key={toName}
      {...field(toName, 'To', 30, dateTo)}
      onChange={(at) => onChange({ dateTo: at?.toISOString() })}
    />,
  ]
}
