import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { copyText } from '#console/lib/clipboard.ts'

export function CopyButton({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <Tooltip label={`Copy ${name}`}>
      <ActionIcon aria-label={`Copy ${name}`} size={24} onClick={() => void copyText(text)}>
        <IconCopy size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
