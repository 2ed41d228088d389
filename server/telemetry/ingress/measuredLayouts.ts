import { EVENT_LAYOUTS, type EventLayout } from './eventLayout.ts'

export interface MeasuredColumn {
  readonly ordinal: number
  readonly name: string
  readonly column: string
}

/** An event type that measures something, with only its measured columns. */
export interface MeasuredLayout {
  readonly layout: EventLayout
  readonly measured: readonly MeasuredColumn[]
}

export const MEASURED_LAYOUTS: readonly MeasuredLayout[] = EVENT_LAYOUTS.filter(({ isMeasured }) => isMeasured).map(
  (layout) => ({
    layout,
    measured: layout.fields.flatMap(({ isMeasurement, ordinal, name }, index) =>
      isMeasurement ? [{ ordinal, name, column: layout.columns[index] ?? '' }] : [],
    ),
  }),
)

export const MEASURED_TYPE_IDS: readonly number[] = MEASURED_LAYOUTS.map(({ layout }) => layout.type.id)

/** SQL of the mean, as `real` like the values. `avg` would keep squares for a variance and take longer. */
export const MEAN = (column: string) => `(sum(${column}::float8) / count(${column}))::real`
export const LEAST = (column: string) => `min(${column})::real`
export const GREATEST = (column: string) => `max(${column})::real`
