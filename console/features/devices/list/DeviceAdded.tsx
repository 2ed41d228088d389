import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { download } from '#console/lib/call/download.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { type Device, downloadConfiguration } from '#contract/http/devices/devices.ts'

interface Props {
  readonly device: Device
  readonly onClose: () => void
}

export function DeviceAdded({ device, onClose }: Props) {
  const navigate = useNavigate()
  const mayManage = useMay('deviceManager')
  const [isDownloading, setIsDownloading] = useState(false)

  const save = async () => {
    setIsDownloading(true)
    await download(downloadConfiguration, { query: { id: device.id } }, `${device.guid}.json`).catch(toasts.failure)
    setIsDownloading(false)
  }

  return (
    <Stack gap="md">
      <Text size="md">
        <b className="device-name">{device.name}</b> is added as Pending.
        {mayManage && ' Its configuration holds the server address and a key of its own: put the file on the device.'}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {mayManage && (
          <>
            <Button variant="default" onClick={() => navigate(address('/devices/$guid/status', { guid: device.guid }))}>
              Open device
            </Button>
            <ActionButton icon={IconDownload} isMain data-autofocus loading={isDownloading} onClick={() => void save()}>
              Download configuration
            </ActionButton>
          </>
        )}
      </Group>
    </Stack>
  )
}
