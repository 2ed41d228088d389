import { deviceMessages } from '#console/deviceParts/deviceMessages.ts'
import { DISPLAY_NUMBERS, type DisplayNumberKey } from '#console/deviceParts/settings/settingNumbers.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import { NumberSlider } from '#console/ui/form/NumberSlider.tsx'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { applyDisplaySettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { backlightForPower, displayPowerNotice, isDisplayOn } from '#domain/displays/displayPower.ts'
import { GAMMA_VALUES } from '#domain/displays/gamma.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import type { DisplaySection } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { SectionFoot } from '../section/SectionFoot.tsx'
import { type DisplayValues, displayBase, isBacklightAutomatic } from '../section/settingValues.ts'
import { type Target, useSectionForm } from '../section/useSectionForm.ts'
import { DefaultNote } from './DefaultNote.tsx'
import { plannedByView } from './planOfView.ts'

interface DisplayFormProps {
  readonly display: DisplaySection
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

/** The power of a display is its backlight, 100 or 0 (rules/setup 4). */
export function DisplayForm({ display, view, readings }: DisplayFormProps) {
  const { number } = display
  const section = sectionOf(view, 'display', number)
  const base = displayBase(number, readings, section)
  const target = { deviceId: view.deviceId, section: 'display', number } as const
  const form = useSectionForm<DisplayValues>(base.values, target, section)
  const { values, change } = form
  const hasTouchScreen = display.hasTouchScreen || base.values.isTouchEnabled !== undefined
  const contrast = numberIn(readings, wireName('display', number, 'contrast'))

  const isDefault = (key: keyof DisplayValues) => base.sourceOf(key) === 'default' && !form.isEdited(key)

  const isAutomatic = isBacklightAutomatic(readings, display, (sensor) => sectionOf(view, 'ambientSensor', sensor))
  const now = useOnTime((moment) => moment.toISOString().slice(0, 16))
  const isByPlan = plannedByView(view, new Date(`${now}Z`)).rule === 'dayPlan'
  const isUndone = (isAutomatic === true || isByPlan) && form.isEdited('backlightLevel')

  const turn = (isOn: boolean) => {
    change({ backlightLevel: backlightForPower(isOn) })
    const notice = displayPowerNotice(isOn, isAutomatic)
    if (notice) toasts.info(notice)
  }
  // Only changed values are sent, because the device's other values may have changed meanwhile.
  const isSent = (key: keyof DisplayValues) => {
    if (form.isChanged) return form.isEdited(key) || base.sourceOf(key) === 'default'
    if (key === 'backlightLevel') return isAutomatic !== true && !isByPlan && values.backlightLevel > 0
    return key !== 'gammaValue' || GAMMA_VALUES.some((step) => step === values.gammaValue)
  }
  const apply = () =>
    form.apply(
      (wanted, basedOn) =>
        sendOrQueue(applyDisplaySettings, { body: { ...bodyOf(wanted, target, hasTouchScreen, isSent), basedOn } }),
      isUndone ? (isByPlan ? deviceMessages.appliedUnderPlan : deviceMessages.appliedUnderLight) : messages.applied,
    )

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
        control={controlOfDisplay(number)}
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
      {isUndone && <UndoneNote isByPlan={isByPlan} />}
      <SectionFoot {...{ form, target, section, readings }} sendBack={sendBack(target)} />
    </form>
  )
}

function UndoneNote({ isByPlan }: { readonly isByPlan: boolean }) {
  return (
    <p className="setup-warning" role="note" aria-live="polite">
      {isByPlan ? deviceMessages.backlightUndoneByPlan : deviceMessages.backlightUndone}
    </p>
  )
}

const sendBack =
  ({ deviceId, number }: Target) =>
  (args: DisplayArguments, basedOn: string | null) =>
    sendOrQueue(applyDisplaySettings, { body: { ...displayArguments(args), deviceId, displayNumber: number, basedOn } })

type DisplayArguments = Partial<Record<DisplayNumberKey, number>> & { readonly touchScreenStatus?: 'ON' | 'OFF' }

/** The call uses these names; a gamma between two steps can only come from a device, and stays as it is. */
function displayArguments(args: DisplayArguments) {
  return {
    dBrightness: args.brightness,
    dBacklightLevel: args.backlightLevel,
    dGammaValue: GAMMA_VALUES.some((step) => step === args.gammaValue) ? args.gammaValue : undefined,
    dRedColorBalance: args.redColorBalance,
    dGreenColorBalance: args.greenColorBalance,
    dBlueColorBalance: args.blueColorBalance,
    dTouchScreenStatus: args.touchScreenStatus,
  }
}

const controlOfDisplay = (number: number) => `display/${number}`

function bodyOf(
  { isTouchEnabled, ...numbers }: DisplayValues,
  { deviceId, number }: { readonly deviceId: DeviceSettingsView['deviceId']; readonly number: number },
  hasTouchScreen: boolean,
  isSent: (key: keyof DisplayValues) => boolean,
) {
  const sent = (key: keyof typeof numbers) => (isSent(key) ? numbers[key] : undefined)
  const isTouchSent = hasTouchScreen && isTouchEnabled !== undefined && isSent('isTouchEnabled')
  return {
    deviceId,
    displayNumber: number,
    dBrightness: sent('brightness'),
    dBacklightLevel: sent('backlightLevel'),
    dGammaValue: sent('gammaValue'),
    dRedColorBalance: sent('redColorBalance'),
    dGreenColorBalance: sent('greenColorBalance'),
    dBlueColorBalance: sent('blueColorBalance'),
    dTouchScreenStatus: isTouchSent ? (isTouchEnabled ? ('ON' as const) : ('OFF' as const)) : undefined,
  }
}
