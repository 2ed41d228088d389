import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload, IconSettings } from '@tabler/icons-react'
import { useCsvExport } from '#console/lib/useCsvExport.ts'
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
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Settings of this list" title="Settings" loading={isRunning}>
          <IconSettings size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void start()}>
          Export (csv)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
