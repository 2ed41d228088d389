import {
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
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'
import type { ClientUpdate, UpdatedDevice } from '#contract/http/software/rollouts.ts'
import type { DeviceUpdateState, RolloutState } from '#domain/rollouts/states.ts'
import { DEVICE_UPDATE_WORDS, OBSERVED_WORD, rolloutWord } from './rolloutLabels.ts'

const ROLLOUT_LOOKS: Readonly<Record<RolloutState, BadgeLook>> = {
  running: { icon: IconRotateClockwise2, tone: 'brand' },
  paused: { icon: IconPlayerPauseFilled, tone: 'off' },
  halted: { icon: IconAlertTriangle, tone: 'crit' },
  stopped: { icon: IconBan, tone: 'off' },
  finished: { icon: IconCircleCheckFilled, tone: 'ok' },
}
const DEVICE_LOOKS: Readonly<Record<DeviceUpdateState, BadgeLook>> = {
  waiting: { icon: IconCircleDashed, tone: 'off' },
  offered: { icon: IconMailForward, tone: 'pending' },
  downloading: { icon: IconDownload, tone: 'brand' },
  verifying: { icon: IconShieldCheck, tone: 'brand' },
  restarting: { icon: IconRotateClockwise2, tone: 'brand' },
  done: { icon: IconCircleCheckFilled, tone: 'ok' },
  failed: { icon: IconCircleXFilled, tone: 'crit' },
  withdrawn: { icon: IconMinus, tone: 'off' },
}

const OBSERVED: BadgeLook = { icon: IconEye, tone: 'pending' }
const FINISHED_WITH_FAILURES: BadgeLook = { icon: IconCircleXFilled, tone: 'crit' }

export function RolloutStateBadge({ update }: { readonly update: Pick<ClientUpdate, 'state' | 'counts'> }) {
  const { state, counts } = update
  const look: BadgeLook = state === 'finished' && counts.failed > 0 ? FINISHED_WITH_FAILURES : ROLLOUT_LOOKS[state]
  return <Badge {...look}>{rolloutWord(update)}</Badge>
}

export function DeviceUpdateBadge({ device }: { readonly device: Pick<UpdatedDevice, 'state' | 'observedUntil'> }) {
  if (device.observedUntil !== null) return <Badge {...OBSERVED}>{OBSERVED_WORD}</Badge>
  return <Badge {...DEVICE_LOOKS[device.state]}>{DEVICE_UPDATE_WORDS[device.state]}</Badge>
}

export function DowngradeBadge() {
  return (
    <Badge tone="warn" icon={IconAlertTriangle}>
      Downgrade
    </Badge>
  )
}
