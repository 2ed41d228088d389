import { IconRefresh } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { listProofKeys, type ProofKey, rotateProofKey } from '#contract/http/insight/lightProofs.ts'

/** Whoever has an answer checks it by these keys; they are no secret. */
export function ProofKeys() {
  const keys = useCall(listProofKeys, {})
  const mayReplace = useMay(rotateProofKey.permission)
  const { confirm, isBusy } = useConfirmedChange(rotateProofKey)
  return (
    <Panel
      title="Keys"
      meta={
        mayReplace && (
          <ActionButton icon={IconRefresh} loading={isBusy} onClick={() => void confirm({ body: {} }, REPLACE)}>
            Replace key
          </ActionButton>
        )
      }
    >
      <AsyncView
        query={keys}
        empty={
          <EmptyNote title="There is no key yet">
            <p>It is made with the first answer.</p>
          </EmptyNote>
        }
      >
        {(rows) => <DataTable label="Keys" columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />}
      </AsyncView>
    </Panel>
  )
}

const REPLACE = {
  title: 'Replace key',
  text: 'Answers are signed by a new key from now on. What was signed before stays valid, and the present key is listed with the past ones. Tell whoever checks answers.',
  done: 'Key replaced',
}

const COLUMNS: readonly Column<ProofKey>[] = [
  {
    ...{ id: 'id', header: 'Key', widthPx: 200, isStrong: true, hasNoPage: true },
    cell: ({ id, publicKey }) => (
      <>
        {id} <CopyButton name={`public key ${id}`} text={publicKey} />
      </>
    ),
  },
  { ...{ id: 'since', header: 'Signs since', widthPx: 150 }, cell: ({ signsSince }) => formatMinute(signsSince) },
  {
    ...{ id: 'until', header: 'Signed until', widthPx: 150 },
    cell: ({ signedUntil }) => (signedUntil === null ? 'Signs now' : formatMinute(signedUntil)),
  },
]
