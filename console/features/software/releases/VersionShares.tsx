import { IconHelpCircle } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { ReleaseList } from '#contract/http/software/releases.ts'
import { formatNumber } from '#domain/units/numbers.ts'

interface Props {
  readonly versions: ReleaseList['versions']
  readonly newest: string | undefined
}

export function VersionShares({ versions, newest }: Props) {
  const total = versions.reduce((sum, { deviceCount }) => sum + deviceCount, 0)
  return (
    <Panel title="What devices run" meta={`${formatNumber(total)} devices`} isPadded>
      <ul className="version-shares">
        {versions.map(({ version, deviceCount }) => (
          <li key={version ?? ''} data-newest={(version !== null && version === newest) || undefined}>
            <span className="version-share-name">
              {version ?? (
                <Badge tone="off" icon={IconHelpCircle}>
                  Not reported yet
                </Badge>
              )}
            </span>
            <span className="version-share-bar" aria-hidden>
              <i style={{ width: `${total === 0 ? 0 : (deviceCount / total) * 100}%` }} />
            </span>
            <span className="version-share-count">{formatNumber(deviceCount)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
