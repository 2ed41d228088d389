import { useLiveStatus } from '#console/lib/live/live.ts'
import { Hint } from '#console/ui/plain/Hint.tsx'

const WORDS = {
  live: { text: 'Live', explanation: 'Changes appear within a second.' },
  connecting: { text: 'Connecting', explanation: 'Connecting to live changes.' },
  down: { text: 'Not live', explanation: 'No live connection: pages are read again every minute.' },
  full: { text: 'Not live', explanation: 'Too many pages are open. Select this page again to make it live.' },
}

/** It shows whether the page follows the devices live, and nothing where no part of the page does. */
export function LiveMark() {
  const status = useLiveStatus()
  if (status === 'idle') return null
  const { text, explanation } = WORDS[status]
  return (
    <Hint label={explanation}>
      <div className="live-mark" data-status={status} role="status">
        <i />
        <span>{text}</span>
      </div>
    </Hint>
  )
}
