import { IconPlugConnectedX } from '@tabler/icons-react'
import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { ClientUpdateDetails } from '#contract/http/software/rollouts.ts'
import { formatWholeDuration } from '#domain/units/durations.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { countsText, devicesText } from './rolloutLabels.ts'
import { UpdateProgress } from './UpdateProgress.tsx'

type Wave = ClientUpdateDetails['waves'][number]

export function WavePanel({ update }: { readonly update: ClientUpdateDetails }) {
  const { waves } = update
  return (
    <Panel title="Waves" meta={waves.length}>
      <ol className="waves">
        {waves.map((wave) => (
          <li key={wave.number} data-begun={wave.begunAt !== null || undefined}>
            <span className="wave-name">
              Wave {wave.number}
              <span className="dim">{devicesText(wave.deviceCount)}</span>
            </span>
            <UpdateProgress counts={wave.counts} name={`Wave ${wave.number}`} />
            <span className="wave-counts">
              {countsText(wave.counts)}
              {wave.offlineCount > 0 && <Offline wave={wave} />}
            </span>
            <span className="wave-time dim">{timeText(wave, update)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Offline({ wave: { offlineCount } }: { readonly wave: Wave }) {
  return (
    <Badge
      tone="off"
      icon={IconPlugConnectedX}
      iconSize={14}
      title="They are updated when they come back, and hold up no wave"
    >
      {formatNumber(offlineCount)} offline
    </Badge>
  )
}

function timeText({ number, begunAt }: Wave, update: ClientUpdateDetails): string {
  const { state, begunWave, nextWaveAt, observeMinutes, counts } = update
  if (begunAt) return `Began ${formatDateTime(begunAt)}`
  if (state === 'stopped') return 'Never started'
  if (state === 'paused' || state === 'halted') return 'Waits for Resume'
  if (number > begunWave + 1) return `After wave ${number - 1}`
  if (begunWave === 0) return 'Begins in a moment'
  if (nextWaveAt) return `Begins ${formatMinute(nextWaveAt)}`
  return counts.observed > 0
    ? `When wave ${begunWave} has run for ${formatWholeDuration(observeMinutes)}`
    : `When wave ${begunWave} is through`
}
