import { useLiveStatus } from '#console/lib/live/live.ts'
import { Hint } from '#console/ui/plain/Hint.tsx'

const WORDS = {
  live: { text: 'Live', explanation: 'Changes appear within a second.' },
  connecting: { text: 'Connecting', explanation: 'Connecting to live changes.' },
  down: { text: 'Not live', explanation: 'No live connection: pages are read again every minute.' },
  full: { text: 'Not live', explanation: 'Too many pages are open. Select this page again to make it live.' },
}

/** Whether what is on the screen follows the devices by itself; absent where nothing does. */
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
