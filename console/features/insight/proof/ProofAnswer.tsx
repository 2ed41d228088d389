import { IconCircleCheck, IconShieldCheck } from '@tabler/icons-react'
import { saveFile } from '#console/lib/call/download.ts'
import { oneBatch } from '#console/lib/csv.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { useVirtualRows } from '#console/ui/table/useVirtualRows.ts'
import type { SignedProof } from '#contract/http/insight/lightProofs.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { PLAY_VERDICTS } from '#domain/proof/lightProof.ts'
import { countText } from './PlayList.tsx'
import { CERTAINTY, evidenceText, PROOF_CSV_COLUMNS, type ShownPlay, shownPlays, VERDICTS } from './proofText.ts'

/** Only the rows on the screen are drawn of a longer answer. */
const MOST_DRAWN = 100
const AROUND_MS = 10 * 60_000

export function ProofAnswer({ answer }: { readonly answer: SignedProof }) {
  const rows = shownPlays(answer.proof)
  const isLong = rows.length > MOST_DRAWN
  const counts = PLAY_VERDICTS.map(
    (verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length] as const,
  )
  const name = `lightProof_${answer.proof.answeredAt.slice(0, 10)}`
  return (
    <Panel
      title="Answer"
      meta={
        <>
          <ActionButton
            icon={IconShieldCheck}
            onClick={() => saveFile(`${name}.json`, new Blob([JSON.stringify(answer)], { type: 'application/json' }))}
          >
            Download signed (json)
          </ActionButton>
          <ListExportMenu
            name={name}
            label="proof of light"
            columns={PROOF_CSV_COLUMNS}
            batches={() => oneBatch(rows)}
          />
        </>
      }
    >
      <ul className="proof-counts">
        {counts
          .filter(([, count]) => count > 0)
          .map(([verdict, count]) => (
            <li key={verdict}>
              <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].name}</Badge> {countText(count, 'play')}
            </li>
          ))}
      </ul>
      <DataTable
        label="Plays"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ at }) => at}
        // Another way of drawing rows needs another table.
        key={isLong ? 'long' : 'short'}
        {...(isLong && { useDrawnRows: useVirtualRows })}
      />
      <NoticeBox icon={IconCircleCheck}>
        Signed {formatDateTime(answer.proof.answeredAt)} by key {answer.signature.keyId}. Only the signed file can be
        checked by others.
      </NoticeBox>
    </Panel>
  )
}

/** The timeline around a play has the reports behind the answer. */
function evidenceOf({ device, deviceName, from, to }: ShownPlay) {
  if (device === deviceName) return undefined
  const around = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString()
  return address('/devices/$guid/status', {
    ...{ guid: device as DeviceGuid, view: 'timeline' as const },
    ...{ dateFrom: around(from, -AROUND_MS), dateTo: around(to, AROUND_MS) },
  })
}

const secondsColumn = (id: 'lit' | 'dark' | 'unknown', header: string): Column<ShownPlay> => ({
  ...{ id, header, widthPx: 92, isRight: true, leaves: 3 },
  cell: (row) => `${row[id]} s`,
})

const COLUMNS: readonly Column<ShownPlay>[] = [
  {
    id: 'device',
    header: 'Device',
    isStrong: true,
    cell: ({ deviceName, display }) => (display === undefined ? deviceName : `${deviceName}, display ${display}`),
    to: evidenceOf,
  },
  { ...textColumn('play', 'Play', ({ play }: ShownPlay) => play ?? '', { isDim: true }), widthPx: 130, leaves: 1 },
  { ...{ id: 'from', header: 'From', widthPx: 150 }, cell: ({ from }) => formatDateTime(from) },
  {
    ...{ id: 'verdict', header: 'Light', widthPx: 110 },
    cell: ({ verdict }) => <Badge tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].name}</Badge>,
  },
  secondsColumn('lit', 'Lit'),
  secondsColumn('dark', 'Dark'),
  secondsColumn('unknown', 'Unknown'),
  { ...textColumn('evidence', 'Evidence', evidenceText), widthPx: 190, leaves: 2 },
  {
    ...textColumn('certainty', 'Certainty', ({ certainty }: ShownPlay) => CERTAINTY[certainty]),
    widthPx: 90,
    leaves: 4,
  },
]
