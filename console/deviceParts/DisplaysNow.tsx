import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '#console/ui/Panel.tsx'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** How a display is, in words. */
export interface DisplayVerdict {
  readonly name: string
  readonly sentence: string
}

interface Props {
  readonly title?: string
  /** How they were when somebody came; left out where nobody has come yet. */
  readonly before?: readonly DisplayVerdict[] | undefined
  /** Undefined while it is not known. */
  readonly now: readonly DisplayVerdict[] | undefined
  readonly foot?: ReactNode
}

/** How each display is now, beside how it was: did it help? */
export function DisplaysNow({ title = 'Displays', before, now, foot }: Props) {
  const names = [...new Set([...(before ?? []), ...(now ?? [])].map(({ name }) => name))]
  return (
    <Panel title={title} isPadded>
      <Stack gap="sm" align="flex-start">
        {names.length === 0 && (
          <p className="is-dim">{now === undefined ? 'How they are is not known now.' : 'It has no displays.'}</p>
        )}
        {names.map((name) => (
          <div key={name}>
            <b>{name}</b>
            {before && (
              <div className="is-dim">
                When you came: {before.find((display) => display.name === name)?.sentence ?? UNKNOWN_TEXT}
              </div>
            )}
            <div>Now: {now?.find((display) => display.name === name)?.sentence ?? 'not known'}</div>
          </div>
        ))}
        {foot}
      </Stack>
    </Panel>
  )
}
