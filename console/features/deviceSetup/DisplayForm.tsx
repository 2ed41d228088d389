import { sendOrQueue } from '#console/lib/api.ts'
import { DISPLAY_NUMBERS } from '#console/lib/settingNumbers.ts'
import { toasts } from '#console/lib/toasts.ts'
import { NumberSlider } from '#console/ui/NumberSlider.tsx'
import { Toggle } from '#console/ui/Toggle.tsx'
import { applyDisplaySettings, type DeviceSettingsView } from '#contract/http/deviceSettings.ts'
import { backlightForPower, displayPowerNotice, isDisplayOn } from '#domain/displays/displayPower.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { DefaultNote } from './DefaultNote.tsx'
import { numberIn, type Readings, wireName } from './readings.ts'
import { SectionFoot } from './SectionFoot.tsx'
import { type DisplayValues, displayBase, isBacklightAutomatic } from './settingValues.ts'
import type { DisplaySection } from './setupSections.ts'
import { useSectionForm } from './useSectionForm.ts'
import { sectionOf } from './useSetup.ts'

interface DisplayFormProps {
  readonly display: DisplaySection
  readonly isFixed: boolean
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

/** Display settings of one display. On and off is the backlight, 100 or 0 (P2 §4). */
export function DisplayForm({ display, isFixed, view, readings }: DisplayFormProps) {
  const { number, sensorNumber } = display
  const section = sectionOf(view, 'display', number)
  const base = displayBase(number, readings, section)
  const target = { deviceId: view.deviceId, section: 'display', number } as const
  const form = useSectionForm<DisplayValues>(base.values, target)
  const { values, change } = form
  const hasTouchScreen = display.hasTouchScreen || base.values.isTouchEnabled !== undefined
  const contrast = numberIn(readings, wireName('display', number, 'contrast'))

  const isDefault = (key: keyof DisplayValues) => base.sourceOf(key) === 'default' && !form.isEdited(key)

  const turn = (isOn: boolean) => {
    change({ backlightLevel: backlightForPower(isOn) })
    const notice = displayPowerNotice(isOn, isBacklightAutomatic(readings, number, sensorNumber))
    if (notice) toasts.info(notice)
  }
  const apply = () =>
    form.apply((wanted) => sendOrQueue(applyDisplaySettings, { body: bodyOf(wanted, target, isFixed, hasTouchScreen) }))

  return (
    <form
      className="setup-form"
      onSubmit={(event) => {
        event.preventDefault()
        void apply()
      }}
    >
      <Toggle
        label="Display on"
        isOn={isDisplayOn(isDefault('backlightLevel') ? undefined : values.backlightLevel)}
        onChange={turn}
      />
      {DISPLAY_NUMBERS.map((setting) => (
        <NumberSlider
          key={setting.key}
          label={setting.label}
          unit={setting.unit}
          min={setting.min}
          max={setting.max}
          step={setting.step}
          value={values[setting.key]}
          note={<DefaultNote isShown={isDefault(setting.key)} />}
          onChange={(value) => change({ [setting.key]: value })}
        />
      ))}
      <dl className="setup-reported">
        <dt>Contrast</dt>
        <dd>{contrast === undefined ? UNKNOWN_TEXT : formatNumber(contrast)}</dd>
      </dl>
      {hasTouchScreen && (
        <Toggle
          label="Touch screen"
          isOn={values.isTouchEnabled}
          onChange={(isTouchEnabled) => change({ isTouchEnabled })}
        />
      )}
      <SectionFoot form={form} section={section} readings={readings} />
    </form>
  )
}

function bodyOf(
  { isTouchEnabled, ...numbers }: DisplayValues,
  { deviceId, number }: { readonly deviceId: DeviceSettingsView['deviceId']; readonly number: number },
  isFixed: boolean,
  hasTouchScreen: boolean,
) {
  return {
    deviceId,
    ...(isFixed ? {} : { displayNumber: number }),
    dBrightness: numbers.brightness,
    dBacklightLevel: numbers.backlightLevel,
    dGammaValue: numbers.gammaValue,
    dRedColorBalance: numbers.redColorBalance,
    dGreenColorBalance: numbers.greenColorBalance,
    dBlueColorBalance: numbers.blueColorBalance,
    ...(hasTouchScreen && isTouchEnabled !== undefined
      ? { dTouchScreenStatus: isTouchEnabled ? ('ON' as const) : ('OFF' as const) }
      : {}),
  }
}
