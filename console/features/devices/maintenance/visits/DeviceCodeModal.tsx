import { Modal } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { address } from '#console/router/addressText.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { QrCode } from '#console/ui/factor/QrCode.tsx'
import type { Device } from '#contract/http/devices/devices.ts'

interface Props {
  readonly device: Device
  readonly onClose: () => void
}

/** A label for the inside of the door: whoever scans it has the page of the device for visits. */
export const DeviceCodeModal = ({ device, onClose }: Props) => (
  <Modal opened onClose={onClose} title="QR code of the device" size={360}>
    <figure className="device-code">
      <QrCode
        text={`${location.origin}${address('/visits/$guid', { guid: device.guid })}`}
        label={`Code of ${device.name}`}
      />
      <figcaption>{device.name}</figcaption>
    </figure>
    <ActionButton icon={IconPrinter} onClick={() => window.print()}>
      Print
    </ActionButton>
  </Modal>
)
