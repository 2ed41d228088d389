import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { useUser } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { usePrinting } from '#console/ui/style/printing.ts'
import { filterInWords, pageInWords } from './filterInWords.ts'

/** A sheet of paper says by itself what it shows, for whom, and when it was printed. */
export function PrintHead() {
  const { username } = useUser()
  if (!usePrinting()) return null
  const [filter, part] = [filterInWords(document), pageInWords(document)]
  return (
    <div className="print-head">
      <b>{document.title}</b>
      <span>
        Printed {formatMinute(new Date(serverNowMs()))} ({viewerTimeZone()}) by {username}
      </span>
      {part && <b>{part}</b>}
      {filter && (
        <span>{filter.length === 0 ? 'No filter: everything that this user may see' : filter.join(' · ')}</span>
      )}
    </div>
  )
}
