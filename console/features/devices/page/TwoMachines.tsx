import { IconCopy } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { Age } from '#console/ui/Age.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import type { Device } from '#contract/http/devices/devices.ts'

export function TwoMachines({ device: { identityConflictSince: since } }: { readonly device: Device }) {
  if (since === null) return null
  return (
    <NoticeBox icon={IconCopy} tone="warn">
      <b>{messages.twoMachines}</b> First seen <Age at={since} />. {messages.twoMachinesHelp}
    </NoticeBox>
  )
}
