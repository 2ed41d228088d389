import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { claimDevice, type FoundClaim } from '#contract/http/devices/claims.ts'
import { setDeviceComponents } from '#contract/http/devices/components.ts'
import { type ClaimedDevice, ClaimForm } from './ClaimForm.tsx'
import { CodeForm } from './CodeForm.tsx'
import './claim.css'

/** The page `/claim` makes a device of the one that shows a code (rules/claims 2). */
export function ClaimScreen() {
  const { values, unread } = useAddress('/claim')
  const mayClaim = useMay(claimDevice.permission)
  const [found, setFound] = useState<{ readonly code: string; readonly claim: FoundClaim }>()
  const [claimed, setClaimed] = useState<ClaimedDevice>()
  const [wasClaimed, setWasClaimed] = useState(false)
  return (
    <Screen title="Claim a device" unread={unread}>
      <div className="claim">
        <Panel isPadded title={claimed ? 'Device claimed' : found ? 'What the device says' : 'Code of the device'}>
          {!mayClaim ? (
            <EmptyNote title="Your role may not add devices">
              <p>Ask an administrator.</p>
            </EmptyNote>
          ) : claimed ? (
            <Claimed
              device={claimed}
              onNext={() => {
                setClaimed(undefined)
                setWasClaimed(true)
                setFound(undefined)
              }}
            />
          ) : found ? (
            <ClaimForm {...found} onClaimed={setClaimed} onCancel={() => setFound(undefined)} />
          ) : (
            <CodeForm
              code={wasClaimed ? '' : (values.code ?? '')}
              onFound={(code, claim) => setFound({ code, claim })}
            />
          )}
        </Panel>
      </div>
    </Screen>
  )
}

interface ClaimedProps {
  readonly device: ClaimedDevice
  readonly onNext: () => void
}

function Claimed({ device: { name, customerName, guid }, onNext }: ClaimedProps) {
  const mayEditParts = useMay(setDeviceComponents.permission)
  return (
    <Stack gap="md" role="status">
      <p className="claim-done">
        <b>{name}</b> of {customerName} connects within seconds.
      </p>
      <Group gap="sm">
        <Button component={Link} to={address('/devices/$guid/status', { guid })}>
          Open device
        </Button>
        {mayEditParts && (
          <Button
            component={Link}
            to={address('/devices/$guid/device-components', { guid }, sectionAnchor('Find parts'))}
            variant="default"
          >
            Find its parts
          </Button>
        )}
        <Button variant="default" onClick={onNext}>
          Claim another
        </Button>
      </Group>
    </Stack>
  )
}
