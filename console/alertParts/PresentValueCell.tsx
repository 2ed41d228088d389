import { formatDateTime } from '#console/lib/time/time.ts'
import { Sparkline } from '#console/ui/chart/Sparkline.tsx'
import type { PresentValue } from '#contract/http/insight/analytics.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly present: PresentValue | undefined
  readonly modelId: DeviceModelId
}

export function PresentValueCell({ present, modelId }: Props) {
  const text = presentText(present, modelId)
  if (text === undefined) return <span className="dim">{UNKNOWN_TEXT}</span>
  const means = present?.means24h
  return (
    <span className="alert-present">
      <b>{text}</b>
      {means && means.filter((mean) => mean !== null).length > 1 && <Sparkline values={means} />}
    </span>
  )
}

/** The text includes the unit, and is undefined while the value is unknown. */
function presentText(present: PresentValue | undefined, modelId: DeviceModelId): string | undefined {
  const numbered = present && numberedFieldById(present.fieldId)
  if (!numbered) return undefined
  const { text, unit } = showValue(numbered, present.value, modelId)
  const { display, label } = numbered.field
  // "Closed" alone, beside the status of an alert, would read as that status.
  if (display === 'openWhenOne') return `${label} ${text.toLowerCase()}`
  return unit ? `${text} ${unit}` : text
}

export const presentTitle = (present: PresentValue | undefined): string =>
  present ? `Reported ${formatDateTime(present.at)}` : 'Not reported'
