import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { listStatusPages, rotateStatusAddress, type StatusPage } from '#contract/http/alerting/statusPages.ts'
import { StatusPageTable } from './StatusPageTable.tsx'
import { statusPageMessages } from './statusPageMessages.ts'
import './statusPages.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const StatusPageModal = lazyDialog(() => import('./StatusPageModal.tsx').then((part) => part.StatusPageModal))

export function StatusPagesScreen() {
  const pages = useCall(listStatusPages, {})
  const { open, show, close, linkTo } = useRecordDialog('/status-pages', pages.data, ({ customerId }) => customerId)
  return (
    <Screen title="Status pages">
      <Panel>
        <AsyncView
          query={pages}
          empty={
            <EmptyNote title="There are no customers yet">
              <p>{statusPageMessages.none}</p>
            </EmptyNote>
          }
        >
          {(rows) => (
            <StatusPageTable pages={rows} linkTo={linkTo} onEdit={show} onRotate={(page) => void rotate(page)} />
          )}
        </AsyncView>
      </Panel>
      {open?.record && <StatusPageModal page={open.record} onClose={close} />}
    </Screen>
  )
}

const rotate = ({ customerId, customerName, subscriberCount }: StatusPage) =>
  confirmAndChange(
    rotateStatusAddress,
    { body: { customerId } },
    {
      title: 'New address',
      text: statusPageMessages.confirmRotate(customerName, subscriberCount),
      isDangerous: true,
      done: statusPageMessages.rotated,
    },
  )
