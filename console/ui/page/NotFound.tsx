import { IconArrowLeft, IconMapQuestion } from '@tabler/icons-react'
import { startMessages } from '#console/lib/call/startMessages.ts'
import { PlainButton } from '../plain/PlainButton.tsx'
import { PageNote } from './PageNote.tsx'

interface NotFoundProps {
  readonly onBack: () => void
}

export function NotFound({ onBack }: NotFoundProps) {
  return (
    <PageNote
      icon={<IconMapQuestion size={36} stroke={1.4} aria-hidden />}
      title={startMessages.pageNotFound}
      text="There is nothing at this address."
    >
      <PlainButton icon={<IconArrowLeft size={14} aria-hidden />} onClick={onBack}>
        Go Back
      </PlainButton>
    </PageNote>
  )
}
