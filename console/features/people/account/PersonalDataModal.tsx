import { Modal } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { download } from '#console/lib/call/download.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { downloadOwnPersonalData } from '#contract/http/people/personalData.ts'
import './account.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function PersonalDataModal({ isOpen, onClose }: Props) {
  const [isBusy, setIsBusy] = useState(false)
  const save = async () => {
    setIsBusy(true)
    await download(downloadOwnPersonalData, {}, 'personal-data.json').catch(toasts.failure)
    setIsBusy(false)
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title="Personal data" size={480}>
      <div className="account-form">
        <p className="account-hint">
          One JSON file with everything that is kept about you: your account, sessions, entries of the audit log, what
          you did and wrote, where you are on call, and your notifications. An administrator can erase it.
        </p>
        <div className="account-buttons">
          <ActionButton icon={IconDownload} isMain loading={isBusy} onClick={() => void save()}>
            Download
          </ActionButton>
        </div>
      </div>
    </Modal>
  )
}
