import { IconCopy } from '@tabler/icons-react'
import { copyText } from '#console/lib/clipboard.ts'
import { IconButton } from './IconButton.tsx'

export function CopyButton({ name, text }: { readonly name: string; readonly text: string }) {
  return <IconButton icon={IconCopy} iconSize={14} tip={`Copy ${name}`} size={24} onClick={() => void copyText(text)} />
}
