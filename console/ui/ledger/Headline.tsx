import './ledger.css'

interface Figure {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly isMissed?: boolean
}

/** The figures that somebody looks for first, each with what it says. */
export const Headline = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <dl className="headline">
    {figures.map(({ name, value, note, isMissed }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
        <dd data-missed={isMissed || undefined}>{note}</dd>
      </div>
    ))}
  </dl>
)
