import { IconBulb } from '@tabler/icons-react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { type PlayProblem, readPlays } from '#domain/proof/plays.ts'

/** A file of plays, as somebody has chosen it. */
export interface PlayFile {
  readonly name: string
  readonly text: string
  readonly playCount: number
  readonly problems: readonly PlayProblem[]
  readonly begin: readonly string[]
}

const SHOWN_LINES = 5
const SHOWN_PROBLEMS = 100

export function readPlayFile(name: string, text: string): PlayFile {
  const { plays, problems } = readPlays(text)
  return { name, text, playCount: plays.length, problems, begin: text.split(/\r?\n/, SHOWN_LINES) }
}

/** The list without the lines that cannot be read. */
function withoutProblems({ text, problems }: PlayFile): string {
  const left = new Set(problems.map(({ line }) => line))
  return text
    .split(/\r\n|\n|\r/)
    .filter((_, index) => !left.has(index + 1))
    .join('\n')
}

interface Props {
  readonly file: PlayFile
  readonly isBusy: boolean
  readonly onProve: (plays: string) => void
}

/** Nothing is asked before somebody has seen what was read of the file. */
export function PlayList({ file, isBusy, onProve }: Props) {
  const { name, playCount, problems, begin } = file
  const [plays, lines] = [countText(playCount, 'play'), countText(problems.length, 'line')]
  return (
    <Panel
      title={name}
      meta={
        <ActionButton
          icon={IconBulb}
          loading={isBusy}
          disabled={playCount === 0}
          onClick={() => onProve(problems.length === 0 ? file.text : withoutProblems(file))}
        >
          {problems.length === 0 ? `Prove ${plays}` : `Leave out ${lines}, prove ${plays}`}
        </ActionButton>
      }
    >
      <pre className="proof-begin">{begin.join('\n')}</pre>
      {problems.length > 0 && (
        <>
          <p className="proof-note" role="alert">
            {lines} cannot be read.{problems.length > SHOWN_PROBLEMS && ` These are the first ${SHOWN_PROBLEMS}.`}
          </p>
          <DataTable
            label="Lines that cannot be read"
            columns={PROBLEM_COLUMNS}
            rows={problems.slice(0, SHOWN_PROBLEMS)}
            rowKey={({ line }) => line}
          />
        </>
      )}
    </Panel>
  )
}

const PROBLEM_COLUMNS: readonly Column<PlayProblem>[] = [
  { ...textColumn('line', 'Line', ({ line }: PlayProblem) => String(line)), widthPx: 90 },
  textColumn('problem', 'What is wrong', ({ problem }: PlayProblem) => problem),
]

export const countText = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
