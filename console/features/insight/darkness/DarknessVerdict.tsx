import { Button } from '@mantine/core'
import { IconArrowRight, IconCar } from '@tabler/icons-react'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import type { Device } from '#contract/http/devices/devices.ts'
import { applyDisplaySettings } from '#contract/http/devices/setup.ts'
import type { DarknessWalk } from '#contract/http/insight/darkness.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'

interface Props {
  readonly verdict: DarknessWalk['verdict']
  readonly device: Device
  readonly onLeave: () => void
}

export function DarknessVerdict({ verdict: { kind, finding, sentence, action }, device, onLeave }: Props) {
  // The display is lit, and nothing else is wrong.
  const maySet = useMay(applyDisplaySettings.permission)
  const tone = kind === 'lit' && finding !== 'lit' ? 'warning' : kind
  return (
    <section className="darkness-verdict" data-tone={tone} aria-label="Verdict">
      <p role="status">{sentence}</p>
      {action && (action.section === null || !maySet) && (
        <p className="darkness-action">
          {action.section === null && <IconCar size={16} aria-hidden />} {action.words}
        </p>
      )}
      {action && action.section !== null && maySet && (
        <Button
          variant="default"
          rightSection={<IconArrowRight size={16} aria-hidden />}
          renderRoot={(props) => (
            <Link
              {...props}
              to={address(
                hasFixedSetup(device.modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup',
                { guid: device.guid },
                sectionAnchor(action.control ?? action.section ?? ''),
              )}
              onClick={onLeave}
            />
          )}
        >
          {action.words}
        </Button>
      )}
    </section>
  )
}
