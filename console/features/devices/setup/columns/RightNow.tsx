import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { Age } from '#console/ui/Age.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Fact } from '#console/ui/records/Fact.tsx'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { type LightWithoutPlan, resultingLightAt } from '#domain/displays/resultingLight.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { holidaysOf, placeOf, planOfView } from '../display/planOfView.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import type { DisplaySection } from '../read/setupSections.ts'
import { ruleText } from './lightText.ts'

interface RightNowProps {
  readonly view: DeviceSettingsView
  readonly readings: Readings
  /** Undefined for a device without displays. */
  readonly display: DisplaySection | undefined
  readonly otherwise: LightWithoutPlan
  readonly hasUps: boolean
  readonly now: Date
}

/** What the device reports of what is set here. */
export function RightNow(props: RightNowProps) {
  const { readings, display, hasUps } = props
  const { modelId } = useOpenDevice()
  return (
    <Panel title="Right now" meta={<Age at={newestIn(readings)} />}>
      <dl className="setup-facts right-now">
        {display && <Fact name="Backlight">{backlightText(display, props)}</Fact>}
        {display && <Fact name="Source">{sourceText(display.number, readings, modelId)}</Fact>}
        {hasUps && <Fact name="Power">{powerText(readings, modelId)}</Fact>}
      </dl>
    </Panel>
  )
}

const newestIn = (readings: Readings): Date | undefined =>
  [...readings.values()].reduce<Date | undefined>((newest, { at }) => (newest && newest > at ? newest : at), undefined)

function backlightText({ number, sensorNumber = number }: DisplaySection, props: RightNowProps): string {
  const { view, readings, otherwise, now } = props
  const level = numberIn(readings, wireName('display', number, 'backlight_level'))
  if (level === undefined) return UNKNOWN_TEXT
  const light = resultingLightAt(planOfView(view), otherwise, placeOf(view), holidaysOf(view), now)
  const until = light.until && wallClock(light.until, view.timeZone).time
  const lux = numberIn(readings, wireName('display', sensorNumber, 'ambient_light'))
  return `${formatNumber(level)} % ${ruleText(light, until, lux)}`
}

function shown(name: string, readings: Readings, modelId: DeviceModelId): string {
  const field = NUMBERED_FIELDS.find(({ wireName: its }) => its === name)
  if (!field) return ''
  const { text, unit, isKnown } = showValue(field, readings.get(name)?.value, modelId)
  return isKnown ? [text, unit].filter(Boolean).join(' ') : ''
}

const listed = (texts: readonly string[]): string => texts.filter(Boolean).join(', ') || UNKNOWN_TEXT

const sourceText = (number: number, readings: Readings, modelId: DeviceModelId): string =>
  listed(['source', 'out_of_order_status'].map((field) => shown(wireName('display', number, field), readings, modelId)))

function powerText(readings: Readings, modelId: DeviceModelId): string {
  const charge = shown('u_battery_charge', readings, modelId)
  return listed([shown('u_status', readings, modelId), charge && `UPS ${charge}`])
}
