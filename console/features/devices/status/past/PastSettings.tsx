import { commandLabels } from '#console/deviceParts/commandLabels.ts'
import { compareNames } from '#console/lib/compareNames.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { DeviceStateAt } from '#contract/http/devices/status.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

export function PastSettings({ settings }: Pick<DeviceStateAt, 'settings'>) {
  const rows = settings.map((applied) => ({ ...applied, ...commandLabels(applied.name, applied.args) }))
  return (
    <Panel title="Set by people, until then">
      {rows.length === 0 ? (
        <p className="past-unset">{UNKNOWN_TEXT} No settings are recorded.</p>
      ) : (
        <ul className="past-settings">
          {rows
            .toSorted((a, b) => compareNames(a.title, b.title))
            .map(({ id, at, by, title, details }) => (
              <li key={id}>
                <strong>{title}</strong>
                <span>{details.join(', ') || UNKNOWN_TEXT}</span>
                <small>
                  since {formatMinute(at)}
                  {by && `, by ${by}`}
                </small>
              </li>
            ))}
        </ul>
      )}
    </Panel>
  )
}
