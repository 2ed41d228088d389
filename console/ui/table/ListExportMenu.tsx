import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload, IconSettings } from '@tabler/icons-react'
import { type CsvExport, useCsvExport } from '#console/lib/useCsvExport.ts'

/** The settings menu of a list (P2 §2): everything that its filter shows as a file. */
export function ListExportMenu<Row>(file: CsvExport<Row>) {
  const { isRunning, start } = useCsvExport(file)
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
