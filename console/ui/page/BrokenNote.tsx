import { IconAlertTriangle } from '@tabler/icons-react'
import { PlainButton } from '../plain/PlainButton.tsx'
import { PageNote } from './PageNote.tsx'

export function BrokenNote({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <PageNote
      icon={<IconAlertTriangle size={36} stroke={1.4} aria-hidden />}
      title="This page failed"
      text="Something unexpected happened. Nothing was changed; other pages still work."
    >
      <PlainButton onClick={onRetry}>Try again</PlainButton>
    </PageNote>
  )
}
