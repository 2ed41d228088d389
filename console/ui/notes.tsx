import { IconCloudOff, IconInbox, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type CallFailed, mayPass } from '#console/lib/call/CallFailed.ts'
import { useIsServerLost } from '#console/lib/call/reach.ts'
import { PlainButton } from './plain/PlainButton.tsx'
import './AsyncView.css'

interface EmptyNoteProps {
  readonly title: string
  readonly children?: ReactNode
}

export function EmptyNote({ title, children }: EmptyNoteProps) {
  return (
    <div className="view-note">
      <IconInbox size={28} stroke={1.5} aria-hidden />
      <strong>{title}</strong>
      {children}
    </div>
  )
}

interface FailedNoteProps {
  readonly failure: CallFailed
  readonly onRetry: () => void
}

export function FailedNote({ failure, onRetry }: FailedNoteProps) {
  // The banner of the page says why, once.
  if (useIsServerLost() && mayPass(failure)) return <p className="view-note-waiting">Could not be loaded</p>
  return (
    <div className="view-note view-note-failed" role="alert">
      <IconCloudOff size={28} stroke={1.5} aria-hidden />
      <strong>Could not be loaded</strong>
      <p>{failure.message}</p>
      {/* What does not exist does not exist the second time either. */}
      {failure.code !== 'not_found' && (
        <PlainButton icon={<IconRefresh size={14} aria-hidden />} onClick={onRetry}>
          Try again
        </PlainButton>
      )}
    </div>
  )
}
