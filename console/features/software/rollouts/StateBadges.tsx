import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconDownload,
  IconEye,
  IconMailForward,
  IconMinus,
  IconPlayerPauseFilled,
  IconRotateClockwise2,
  IconShieldCheck,
} from '@tabler/icons-react'
import type { ClientUpdate, UpdatedDevice } from '#contract/http/software/rollouts.ts'
import type { DeviceUpdateState, RolloutState } from '#domain/rollouts/states.ts'
import { DEVICE_UPDATE_WORDS, OBSERVED_WORD, rolloutWord } from './rolloutLabels.ts'
import '#console/ui/Badge.css'

interface Look {
  readonly icon: Icon
  readonly tone: 'ok' | 'pending' | 'warn' | 'crit' | 'off' | 'brand'
}

const ROLLOUT_LOOKS: Readonly<Record<RolloutState, Look>> = {
  running: { icon: IconRotateClockwise2, tone: 'brand' },
  paused: { icon: IconPlayerPauseFilled, tone: 'warn' },
  halted: { icon: IconAlertTriangle, tone: 'crit' },
  stopped: { icon: IconBan, tone: 'off' },
  finished: { icon: IconCircleCheckFilled, tone: 'ok' },
}
const DEVICE_LOOKS: Readonly<Record<DeviceUpdateState, Look>> = {
  waiting: { icon: IconCircleDashed, tone: 'off' },
  offered: { icon: IconMailForward, tone: 'pending' },
  downloading: { icon: IconDownload, tone: 'brand' },
  verifying: { icon: IconShieldCheck, tone: 'brand' },
  restarting: { icon: IconRotateClockwise2, tone: 'brand' },
  done: { icon: IconCircleCheckFilled, tone: 'ok' },
  failed: { icon: IconCircleXFilled, tone: 'crit' },
  withdrawn: { icon: IconMinus, tone: 'off' },
}

const OBSERVED: Look = { icon: IconEye, tone: 'pending' }
const FINISHED_WITH_FAILURES: Look = { icon: IconCircleXFilled, tone: 'crit' }

export function RolloutStateBadge({ update }: { readonly update: Pick<ClientUpdate, 'state' | 'counts'> }) {
  const { state, counts } = update
  const look = state === 'finished' && counts.failed > 0 ? FINISHED_WITH_FAILURES : ROLLOUT_LOOKS[state]
  return <StateBadge look={look} word={rolloutWord(update)} />
}

export function DeviceUpdateBadge({ device }: { readonly device: Pick<UpdatedDevice, 'state' | 'observedUntil'> }) {
  if (device.observedUntil !== null) return <StateBadge look={OBSERVED} word={OBSERVED_WORD} />
  return <StateBadge look={DEVICE_LOOKS[device.state]} word={DEVICE_UPDATE_WORDS[device.state]} />
}

function StateBadge({ look: { icon: LookIcon, tone }, word }: { readonly look: Look; readonly word: string }) {
  return (
    <span className={`badge badge-${tone}`}>
      <LookIcon size={15} aria-hidden />
      {word}
    </span>
  )
}

export function DowngradeBadge() {
  return (
    <span className="badge badge-warn">
      <IconAlertTriangle size={15} aria-hidden />
      Downgrade
    </span>
  )
}
