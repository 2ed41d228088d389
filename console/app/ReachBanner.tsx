import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { send } from '#console/lib/call/api.ts'
import { mayPass } from '#console/lib/call/CallFailed.ts'
import { reach, useReach } from '#console/lib/call/reach.ts'
import { formatClock } from '#console/lib/time/time.ts'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { getClientAuthData } from '#contract/http/people/signIn.ts'
import './reachBanner.css'

const TRY_EVERY_MS = 4_000
/** The delay is spread, because all browsers of one server must not reconnect at once. */
const JITTER_MS = 3_000

async function ask() {
  await send(getClientAuthData, {}).catch((failure: unknown) => {
    if (mayPass(failure)) reach.lost()
  })
}

/** One banner covers everything that cannot be read while the server is lost; what was loaded stays on the page. */
export function ReachBanner() {
  const reached = useReach()
  const queries = useQueryClient()
  const [wasLost, setWasLost] = useState(false)
  if (reached === 'lost' && !wasLost) setWasLost(true)
  useEffect(() => {
    if (reached === 'doubted') void ask()
    if (reached !== 'fine' || !wasLost) return
    setWasLost(false)
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  }, [reached, wasLost, queries])
  return reached === 'lost' ? <Lost /> : null
}

function Lost() {
  const [isTrying, setIsTrying] = useState(false)
  const [shownAsOf] = useState(reach.lastAnswerAt)
  const attempt = async () => {
    setIsTrying(true)
    await ask()
    setIsTrying(false)
  }
  useEffect(() => {
    const again = () => void ask()
    const timer = setInterval(again, TRY_EVERY_MS + Math.random() * JITTER_MS)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [])
  return (
    <div className="reach-banner" role="alert">
      <IconCloudOff size={18} aria-hidden />
      <span>
        <b>The server cannot be reached</b>
        {shownAsOf && <>; shown as of {formatClock(shownAsOf)}</>}.
      </span>
      <PlainButton icon={<IconRefresh size={14} aria-hidden />} isBusy={isTrying} onClick={() => void attempt()}>
        Try again
      </PlainButton>
    </div>
  )
}
