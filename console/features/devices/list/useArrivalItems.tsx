import { IconFileDownload, IconFileUpload, IconQrcode } from '@tabler/icons-react'
import { useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { saveFile } from '#console/lib/call/download.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatFileDate } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { claimDevice } from '#contract/http/devices/claims.ts'
import { exportDeviceFile, importDevices } from '#contract/http/devices/deviceFiles.ts'

const ImportModal = lazyDialog(() => import('./file/ImportModal.tsx').then((part) => part.ImportModal))

/** The page is loaded whole, because only its own document may use the camera. */
const openClaimPage = () => window.location.assign(address('/claim'))

async function saveDeviceFile(): Promise<void> {
  try {
    const { csv } = await send(exportDeviceFile, { query: {} })
    saveFile(`devices_${formatFileDate(new Date())}.csv`, new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  } catch (failure) {
    toasts.failure(failure)
  }
}

/** These items of the list's menu bring devices in and out, for those who may. The dialog stands outside the menu. */
export function useArrivalItems() {
  const mayAdd = useMay(claimDevice.permission)
  const mayImport = useMay(importDevices.permission)
  const [isImporting, setImporting] = useState(false)
  const openImport = () => setImporting(true)
  usePaletteCommands([
    {
      ...{ actionId: 'device.claim', label: 'Claim a device', searchTerms: 'code qr scan add new', icon: IconQrcode },
      run: openClaimPage,
    },
    {
      ...{
        actionId: 'devices.import',
        label: 'Import devices',
        searchTerms: 'csv file bulk add',
        icon: IconFileUpload,
      },
      run: openImport,
    },
  ])
  const items = (
    <>
      {mayAdd && (
        <MenuItem icon={IconQrcode} onClick={openClaimPage}>
          Claim a device
        </MenuItem>
      )}
      {mayImport && (
        <>
          <MenuItem icon={IconFileUpload} onClick={openImport}>
            Import devices…
          </MenuItem>
          <MenuItem icon={IconFileDownload} onClick={() => void saveDeviceFile()}>
            Export devices
          </MenuItem>
        </>
      )}
    </>
  )
  return { items, dialog: <ImportModal isOpen={isImporting} onClose={() => setImporting(false)} /> }
}
