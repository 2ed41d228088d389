import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { formatMinute } from '#console/lib/time/time.ts'
import type { Session } from '#contract/http/people/account.ts'
import { Age } from '../Age.tsx'
import { RecordItem } from './RecordItem.tsx'

interface Props {
  readonly session: Session
  readonly isEnding: boolean
  readonly onEnd: () => void
}

/** A session says its browser, its last use, its address, and whether it is bound to that browser. */
export function SessionItem({ session, isEnding, onEnd }: Props) {
  const { device, address, started, lastUsed, isCurrent, isBound } = session
  const Icon = /\b(iPhone|iPad|Android)\b/.test(device) ? IconDeviceMobile : IconDeviceDesktop
  const more = (
    <>
      {isCurrent ? (
        'Used now'
      ) : (
        <>
          Last used <Age at={lastUsed} />
        </>
      )}
      {' · '}signed in {formatMinute(started)}
      {address && ` · ${address}`}
      {!isBound && (
        <>
          {' · '}
          <span title="Anyone with its token can use the session: programs sign in this way.">not bound</span>
        </>
      )}
    </>
  )
  return (
    <RecordItem icon={Icon} name={device} more={[more]}>
      {isCurrent ? (
        <span className="session-current">This session</span>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`End session: ${device}`}
          loading={isEnding}
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </RecordItem>
  )
}
