import { SegmentedControl } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { reload, useCall } from '#console/lib/call/useCall.ts'
import { Age } from '#console/ui/Age.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { type DarknessWalk, getDarkness } from '#contract/http/insight/darkness.ts'
import { DarknessChain } from './DarknessChain.tsx'
import { DarknessVerdict } from './DarknessVerdict.tsx'
import { worstOf } from './darknessLabels.ts'

interface Props {
  readonly device: Device
  readonly onLeave: () => void
}

export function DarknessPanel({ device, onLeave }: Props) {
  const darkness = useCall(getDarkness, { deviceId: device.id }, { refreshEveryMs: REFRESH_EVERY_MS.closely })
  return (
    <AsyncView
      query={darkness}
      isEmpty={({ walks }) => walks.length === 0}
      empty={<EmptyNote title="This device has no display" />}
    >
      {({ walks, at }) => (
        <Walks walks={walks} device={device} onLeave={onLeave}>
          <div className="darkness-looked">
            <span>
              Checked <Age at={at} />
            </span>
            <ActionButton
              icon={IconRefresh}
              iconSize={14}
              loading={darkness.isFetching}
              onClick={() => void reload(darkness)}
            >
              Check again
            </ActionButton>
          </div>
        </Walks>
      )}
    </AsyncView>
  )
}

interface WalksProps extends Props {
  readonly walks: readonly DarknessWalk[]
  readonly children: ReactNode
}

function Walks({ walks, device, onLeave, children }: WalksProps) {
  const [chosen, setChosen] = useState<number>()
  const walk = walks.find(({ displayNumber }) => displayNumber === chosen) ?? worstOf(walks)
  if (!walk) return null
  return (
    <>
      {walks.length > 1 && (
        <SegmentedControl
          fullWidth
          size="xs"
          className="darkness-displays"
          aria-label="Display"
          data={walks.map(({ displayNumber, displayName }) => ({ value: String(displayNumber), label: displayName }))}
          value={String(walk.displayNumber)}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      <DarknessVerdict verdict={walk.verdict} device={device} onLeave={onLeave} />
      {children}
      <DarknessChain links={walk.links} />
    </>
  )
}
