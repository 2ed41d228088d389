import type { StatementChange } from '#domain/statement/statementChanges.ts'

interface Props {
  readonly title: string
  readonly changes: readonly StatementChange[]
  readonly isOpen?: boolean
}

/** It lists each figure that is another one, the total first. */
export function ChangesNote({ title, changes, isOpen = false }: Props) {
  if (changes.length === 0) return null
  return (
    <details className="statement-changes" open={isOpen || undefined}>
      <summary>
        {title}: {changes.length} {changes.length === 1 ? 'figure' : 'figures'}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and must do so by keyboard too */}
      <section tabIndex={0} aria-label={title}>
        <table className="ledger">
          <thead>
            <tr>
              {['Device', 'Figure', 'Before', 'Now'].map((header) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.map(({ device, figure, before, after }) => (
              <tr key={`${device} ${figure}`}>
                <th scope="row">{device ?? 'Total'}</th>
                <td>{figure}</td>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
