import { useState } from 'react'
import type { DisplayNumberKey } from '#console/deviceParts/settings/settingNumbers.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { applyDisplaySettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { backlightForPower, displayPowerNotice, isDisplayOn } from '#domain/displays/displayPower.ts'
import { GAMMA_VALUES } from '#domain/displays/gamma.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import type { DisplaySection } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { AlsoFor } from '../section/AlsoFor.tsx'
import { SettingsForm } from '../section/SettingsForm.tsx'
import { sendToAll } from '../section/sendToAll.ts'
import { type DisplayValues, displayBase } from '../section/settingValues.ts'
import { type Target, useSectionForm } from '../section/useSectionForm.ts'
import { DisplayNumbers } from './DisplayNumbers.tsx'
import { useOverrule } from './useOverrule.ts'

interface DisplayFormProps {
  readonly display: DisplaySection
  readonly all: readonly DisplaySection[]
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

/** The power of a display is its backlight, 100 or 0 (rules/setup 4). */
export function DisplayForm({ display, all, view, readings }: DisplayFormProps) {
  const { number } = display
  const section = sectionOf(view, 'display', number)
  const base = displayBase(number, readings, section)
  const target = { deviceId: view.deviceId, section: 'display', number } as const
  const form = useSectionForm<DisplayValues>(base.values, target, section)
  const [alsoFor, setAlsoFor] = useState<readonly number[]>([])
  const { values, change } = form
  const isDefault = (key: keyof DisplayValues) => base.sourceOf(key) === 'default' && !form.isEdited(key)
  const overrule = useOverrule(display, view, readings)

  const turn = (isOn: boolean) => {
    change({ backlightLevel: backlightForPower(isOn) })
    const notice = displayPowerNotice(isOn, overrule.isAutomatic)
    if (notice) toasts.info(notice)
  }
  // Only changed values are sent, because the device's other values may have changed meanwhile.
  const isSent = (key: keyof DisplayValues) => form.isEdited(key) || base.sourceOf(key) === 'default'
  const others = all.filter((other) => other.number !== number)
  const apply = async () => {
    const sendTo = (to: DisplaySection, wanted: DisplayValues, basedOn: string | null, sent: typeof isSent) =>
      sendOrQueue(applyDisplaySettings, { body: { ...bodyOf(wanted, view, to, sent), basedOn } })
    await form.apply(
      (wanted, basedOn) =>
        sendToAll(
          () => sendTo({ ...display, hasTouchScreen }, wanted, basedOn, isSent),
          others
            .filter((other) => alsoFor.includes(other.number))
            .map((other) => ({
              name: nameOfDisplay(other.number),
              send: () => sendTo(other, wanted, setAt(view, other.number), form.isEdited),
            })),
        ),
      form.isEdited('backlightLevel') ? overrule.applied : messages.applied,
    )
    setAlsoFor([])
  }
  const hasTouchScreen = display.hasTouchScreen || base.values.isTouchEnabled !== undefined

  return (
    <SettingsForm
      {...{ form, target, section, readings }}
      besides={<AlsoFor kind="Display" others={others} chosen={alsoFor} onChoose={setAlsoFor} />}
      sendBack={sendBack(target)}
      onApply={() => void apply()}
    >
      <Toggle
        label="Display on"
        control={controlOfDisplay(number)}
        isOn={isDisplayOn(isDefault('backlightLevel') ? undefined : values.backlightLevel)}
        onChange={turn}
      />
      <DisplayNumbers {...{ form, isDefault }} note={overrule.note} />
      <Contrast number={number} readings={readings} />
      {hasTouchScreen && (
        <Toggle
          label="Touch screen"
          isOn={values.isTouchEnabled}
          onChange={(isTouchEnabled) => change({ isTouchEnabled })}
        />
      )}
    </SettingsForm>
  )
}

const nameOfDisplay = (number: number) => `Display ${number}`
const setAt = (view: DeviceSettingsView, number: number) => sectionOf(view, 'display', number)?.desiredAt ?? null

function Contrast({ number, readings }: { readonly number: number; readonly readings: Readings }) {
  const contrast = numberIn(readings, wireName('display', number, 'contrast'))
  return (
    <dl className="setup-facts">
      <div>
        <dt>Contrast</dt>
        <dd>{contrast === undefined ? UNKNOWN_TEXT : formatNumber(contrast)}</dd>
      </div>
    </dl>
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
  { deviceId }: DeviceSettingsView,
  { number, hasTouchScreen }: DisplaySection,
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
