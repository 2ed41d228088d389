import { IconDownload, IconPlayerStop } from '@tabler/icons-react'
import { useState } from 'react'
import { BusyButton } from '#console/features/devices/status/view/BusyButton.tsx'
import { saveFile } from '#console/lib/call/download.ts'
import { streamRows } from '#console/lib/call/rowStream.ts'
import { type CsvColumn, collectCsv, csvNote } from '#console/lib/csv.ts'
import { useMay } from '#console/lib/session/session.ts'
import { useExportRun } from '#console/lib/useCsvExport.ts'
import type { Call, QueryOf } from '#contract/call/call.ts'
import type { DeviceId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { exportFileName } from './exportFileName.ts'

/** Even an immediate export shows that it happened (rules/limits 7). */
const SPINNER_SHOWN_MS = 2_000
const COUNT_SHOWN_EVERY_MS = 250

interface Props<C extends Call, Row> {
  /** The call's answer is a stream of rows. */
  readonly call: C
  readonly query: QueryOf<C>
  readonly columns: readonly CsvColumn<Row>[] | undefined
  readonly fileName: 'rawData' | 'msgData'
  readonly deviceId: DeviceId
}

/** The export of a period is for lab users alone (rules/permissions 7). */
export function ExportButton<C extends Call, Row>(props: Props<C, Row>) {
  const mayExport = useMay(props.call.permission)
  const { isRunning, rowCount, start, stop } = useExport(props)
  if (!mayExport) return null
  if (rowCount !== undefined) {
    return (
      <BusyButton isBusy={false} leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={stop}>
        Stop export, {formatNumber(rowCount)} rows
      </BusyButton>
    )
  }
  return (
    <BusyButton
      isBusy={isRunning}
      title={csvNote()}
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => void start()}
    >
      Export CSV
    </BusyButton>
  )
}

/** `rowCount` is the progress of an export that takes longer than the spinner. */
function useExport<C extends Call, Row>({ call, query, columns, fileName, deviceId }: Props<C, Row>) {
  const { isRunning, run, stop } = useExportRun()
  const [rowCount, setRowCount] = useState<number>()

  const start = () => {
    const startedMs = Date.now()
    let shownMs = 0
    const onProgress = (count: number) => {
      const nowMs = Date.now()
      if (nowMs - startedMs < SPINNER_SHOWN_MS || nowMs - shownMs < COUNT_SHOWN_EVERY_MS) return
      shownMs = nowMs
      setRowCount(count)
    }
    return run(
      async (signal) => {
        const file = await collectCsv(columns, streamRows<C, Row>(call, query, signal), onProgress)
        saveFile(exportFileName(fileName, deviceId, new Date()), file)
      },
      () => {
        setRowCount(undefined)
        return new Promise((resolve) => setTimeout(resolve, SPINNER_SHOWN_MS - (Date.now() - startedMs)))
      },
    )
  }
  return { isRunning, rowCount, start, stop }
}
