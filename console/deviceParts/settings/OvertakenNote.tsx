import { IconUsers } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './overtaken.css'

export interface OvertakenValue {
  readonly key: string
  readonly label: string
  readonly before: string
  readonly theirs: string
  readonly yours: string
}

interface Props {
  readonly children: ReactNode
  readonly values: readonly OvertakenValue[]
}

/** Both values are shown before the own one is sent, because somebody else has set the same meanwhile. */
export function OvertakenNote({ children, values }: Props) {
  return (
    <div className="overtaken-note" role="alert">
      <p>
        <IconUsers size={16} aria-hidden />
        <span>{children}</span>
      </p>
      {values.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Before</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ key, label, before, theirs, yours }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                {[before, theirs, yours].map((text, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: three places that never move
                  <td key={index} title={text}>
                    <span>{text}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
