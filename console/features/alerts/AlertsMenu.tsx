import { useCsvExport } from '#console/lib/useCsvExport.ts'
import { ListExportMenu } from '#console/ui/ListExportMenu.tsx'
import type { AlertListFilter } from './alertListAddress.ts'
import { ALERT_CSV_COLUMNS } from './alertsCsv.ts'
import { alertBatches } from './useAlertSelection.ts'

/** The settings menu of the list (P2 §2): everything that the filter shows as a file. */
export function AlertsMenu({ filter }: { readonly filter: AlertListFilter }) {
  const { isRunning, start } = useCsvExport({
    name: 'alerts',
    columns: ALERT_CSV_COLUMNS,
    batches: (signal) => alertBatches(filter, signal),
  })
  return <ListExportMenu isRunning={isRunning} onExport={() => void start()} />
}
