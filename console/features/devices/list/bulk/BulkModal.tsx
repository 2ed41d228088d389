import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { messages } from '#console/lib/call/messages.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { compareDeviceSettings } from '#contract/http/devices/setup.ts'
import type { DeviceId } from '#domain/ids.ts'
import { BulkEditor } from './BulkEditor.tsx'
import { BULK_TITLES } from './bulkLabels.ts'
import type { BulkKind, ComparedDevice } from './bulkSettings.ts'
import { useBulkRun } from './useBulkRun.ts'
import './bulk.css'

const LEADS_TO: Partial<Record<BulkKind, string>> = { addTags: 'to', removeTags: 'from' }

interface Props {
  readonly kind: BulkKind
  readonly deviceIds: readonly DeviceId[]
  readonly onClose: () => void
}

export function BulkModal({ kind, deviceIds, onClose }: Props) {
  const run = useBulkRun()
  const devices = useQuery<readonly ComparedDevice[], CallFailed>({
    queryKey: [compareDeviceSettings.path, deviceIds],
    queryFn: ({ signal }) => send(compareDeviceSettings, { body: { deviceIds: [...deviceIds] }, signal }),
    // Devices go on reporting while somebody chooses; from the run on the results show the outcome.
    refetchInterval: run.isRunning || run.hasEnded ? false : REFRESH_EVERY_MS.closely,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const close = async () => {
    if (!run.isRunning) return onClose()
    const question = { title: 'Stop', text: messages.bulkRunning, isDangerous: true }
    if (await confirmDialog(question)) {
      run.stop()
      onClose()
    }
  }
  return (
    <Modal
      opened
      onClose={() => void close()}
      title={`${BULK_TITLES[kind]} ${LEADS_TO[kind] ?? 'of'} ${deviceIds.length} ${deviceIds.length === 1 ? 'device' : 'devices'}`}
      size={920}
      closeOnClickOutside={!run.isRunning}
    >
      <AsyncView query={devices}>
        {(compared) => (
          <BulkEditor
            kind={kind}
            devices={compared}
            reread={async () => (await devices.refetch()).data ?? compared}
            run={run}
            onClose={() => void close()}
          />
        )}
      </AsyncView>
    </Modal>
  )
}
