import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload, IconSettings } from '@tabler/icons-react'
import dayjs from 'dayjs'
import { useEffect, useRef, useState } from 'react'
import { collectCsv, NothingToExport } from '#console/lib/csv.ts'
import { saveFile } from '#console/lib/download.ts'
import { toasts } from '#console/lib/toasts.ts'
import type { AlertListFilter } from './alertListAddress.ts'
import { ALERT_CSV_COLUMNS } from './alertsCsv.ts'
import { alertBatches } from './useAlertSelection.ts'

/** The settings menu of the list (P2 §2): everything that the filter shows as a file. */
export function AlertsMenu({ filter }: { readonly filter: AlertListFilter }) {
  const { isRunning, start } = useExport(filter)
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

function useExport(filter: AlertListFilter) {
  const [isRunning, setIsRunning] = useState(false)
  const running = useRef<AbortController>(undefined)
  // Who leaves does not wait for a file any more.
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const stopped = new AbortController()
    running.current = stopped
    setIsRunning(true)
    try {
      const file = await collectCsv(ALERT_CSV_COLUMNS, alertBatches(filter, stopped.signal), () => undefined)
      saveFile(`alerts_${dayjs().format('YYYY-MM-DD')}.csv`, file)
    } catch (failure) {
      if (failure instanceof NothingToExport) toasts.warning(failure.message)
      else if (!stopped.signal.aborted) toasts.failure(failure)
    }
    setIsRunning(false)
  }
  return { isRunning, start }
}
