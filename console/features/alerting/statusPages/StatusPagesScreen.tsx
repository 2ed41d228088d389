import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall, useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { listStatusPages, rotateStatusAddress, type StatusPage } from '#contract/http/alerting/statusPages.ts'
import { StatusPageModal } from './StatusPageModal.tsx'
import { StatusPageTable } from './StatusPageTable.tsx'
import { statusPageMessages } from './statusPageMessages.ts'
import './statusPages.css'

export function StatusPagesScreen() {
  const pages = useCall(listStatusPages, {})
  const [edited, setEdited] = useState<StatusPage>()
  const rotating = useChange(rotateStatusAddress, { onDone: () => toasts.success(statusPageMessages.rotated) })
  const rotate = async ({ customerId, customerName, subscriberCount }: StatusPage) => {
    const text = statusPageMessages.confirmRotate(customerName, subscriberCount)
    if (await confirmDialog({ title: 'New address', text, isDangerous: true }))
      rotating.mutate({ body: { customerId } })
  }
  return (
    <Screen title="Status pages">
      <Panel>
        <AsyncView
          query={pages}
          isEmpty={(rows) => rows.length === 0}
          empty={
            <EmptyNote title="There are no customers yet">
              <p>{statusPageMessages.none}</p>
            </EmptyNote>
          }
        >
          {(rows) => <StatusPageTable pages={rows} onEdit={setEdited} onRotate={(page) => void rotate(page)} />}
        </AsyncView>
      </Panel>
      {edited && <StatusPageModal page={edited} onClose={() => setEdited(undefined)} />}
    </Screen>
  )
}
