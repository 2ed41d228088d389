import { Modal } from '@mantine/core'
import { CopyButton } from '#console/ui/button/CopyButton.tsx'
import { channelMessages } from './channelMessages.ts'
import './channels.css'

export function KeyModal({ signingKey, onClose }: { readonly signingKey: string; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Signing key" size={520}>
      {channelMessages.keyOnce}
      <p className="channel-key">
        <code>{signingKey}</code>
        <CopyButton text={signingKey} name="signing key" />
      </p>
    </Modal>
  )
}
