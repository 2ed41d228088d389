import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { AmbientNumberKey } from '#console/deviceParts/settings/settingNumbers.ts'
import { sendOrQueue } from '#console/lib/call/api.ts'
import { rangeOf } from '#console/lib/form/fieldBounds.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import { Toggle } from '#console/ui/form/Toggle.tsx'
import { LUX_SCALE } from '#console/ui/number/luxSlider.ts'
import { RangeField } from '#console/ui/number/RangeField.tsx'
import { applyAmbientSensorSettings, type DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { wallClock } from '#domain/units/wallClock.ts'
import { numberIn, type Readings, wireName } from '../read/readings.ts'
import type { Numbered } from '../read/setupSections.ts'
import { sectionOf } from '../read/useSetup.ts'
import { AlsoFor } from '../section/AlsoFor.tsx'
import { SettingsForm } from '../section/SettingsForm.tsx'
import { sendToAll } from '../section/sendToAll.ts'
import { type AmbientValues, ambientBase, curveOnDevice } from '../section/settingValues.ts'
import { type Target, useSectionForm } from '../section/useSectionForm.ts'
import { CurvePreview } from './CurvePreview.tsx'
import { DefaultNote } from './DefaultNote.tsx'
import { plannedByView } from './planOfView.ts'

const BACKLIGHT_PERCENT = rangeOf(applyAmbientSensorSettings, 'dMaxBacklight')
const AMBIENT_LUX = rangeOf(applyAmbientSensorSettings, 'dMaxAmbientLight')

interface AmbientFormProps {
  readonly sensor: Numbered
  readonly all: readonly Numbered[]
  readonly view: DeviceSettingsView
  readonly readings: Readings
}

export function AmbientForm({ sensor: { number }, all, view, readings }: AmbientFormProps) {
  const section = sectionOf(view, 'ambientSensor', number)
  const base = ambientBase(number, readings, section)
  const { deviceId } = view
  const target = { deviceId, section: 'ambientSensor', number } as const
  const form = useSectionForm<AmbientValues>(base.values, target, section)
  const [alsoFor, setAlsoFor] = useState<readonly number[]>([])
  const { values, change } = form
  const noteFor = (...keys: (keyof AmbientValues)[]) => (
    <DefaultNote isShown={keys.every((key) => base.sourceOf(key) === 'default' && !form.isEdited(key))} />
  )
  const others = all.filter((other) => other.number !== number)
  const apply = async () => {
    const sendTo = (to: number, wanted: AmbientValues, basedOn: string | null) =>
      sendOrQueue(applyAmbientSensorSettings, { body: { deviceId, number: to, ...bodyOf(wanted), basedOn } })
    await form.apply((wanted, basedOn) =>
      sendToAll(
        () => sendTo(number, wanted, basedOn),
        alsoFor.map((to) => ({
          name: `Sensor ${to}`,
          send: () => sendTo(to, wanted, sectionOf(view, 'ambientSensor', to)?.desiredAt ?? null),
        })),
      ),
    )
    setAlsoFor([])
  }

  return (
    <SettingsForm
      {...{ form, target, section, readings }}
      besides={<AlsoFor kind="Sensor" others={others} chosen={alsoFor} onChoose={setAlsoFor} />}
      sendBack={sendBack(target)}
      onApply={() => void apply()}
    >
      <div className="setup-toggle">
        <Toggle
          label="Automatic backlight"
          isOn={values.isBacklightAutomatic}
          onChange={(isBacklightAutomatic) => change({ isBacklightAutomatic })}
        />
        {noteFor('isBacklightAutomatic')}
      </div>
      <RangeField
        label="Backlight"
        unit="%"
        {...BACKLIGHT_PERCENT}
        from={values.minBacklight}
        to={values.maxBacklight}
        note={noteFor('minBacklight', 'maxBacklight')}
        onChange={(minBacklight, maxBacklight) => change({ minBacklight, maxBacklight })}
      />
      <RangeField
        label="Ambient light"
        unit="lux"
        {...AMBIENT_LUX}
        scale={LUX_SCALE}
        from={values.minAmbientLight}
        to={values.maxAmbientLight}
        note={noteFor('minAmbientLight', 'maxAmbientLight')}
        onChange={(minAmbientLight, maxAmbientLight) => change({ minAmbientLight, maxAmbientLight })}
      />
      <CurvePreview
        today={curveOnDevice(number, readings, section)}
        next={values}
        isAutomatic={values.isBacklightAutomatic}
        ambientLightLux={numberIn(readings, wireName('display', number, 'ambient_light'))}
      />
      {values.isBacklightAutomatic && <OverruledNote view={view} />}
    </SettingsForm>
  )
}

/** The sensor steers only what neither off times nor a plan do. */
function OverruledNote({ view }: { readonly view: DeviceSettingsView }) {
  const minute = useOnTime((now) => now.toISOString().slice(0, 16))
  const planned = plannedByView(view, new Date(`${minute}Z`))
  if (planned.rule === 'none') return null
  return (
    <p className="setup-overruled" role="note">
      <IconInfoCircle size={16} aria-hidden />
      {planned.rule === 'offTimes' ? 'Off times hold' : 'A day plan holds'} until{' '}
      {wallClock(planned.to, view.timeZone).time}: the ambient light sets the backlight again after that.
    </p>
  )
}

const bodyOf = (wanted: AmbientValues) => ({
  dBacklightAutomaticStatus: wanted.isBacklightAutomatic,
  dMinBacklight: wanted.minBacklight,
  dMaxBacklight: wanted.maxBacklight,
  dMinAmbientLight: wanted.minAmbientLight,
  dMaxAmbientLight: wanted.maxAmbientLight,
})

const sendBack =
  ({ deviceId, number }: Target) =>
  (args: AmbientArguments, basedOn: string | null) =>
    sendOrQueue(applyAmbientSensorSettings, { body: { ...ambientArguments(args), deviceId, number, basedOn } })

type AmbientArguments = Partial<Record<AmbientNumberKey, number>> & { readonly backlightAutomaticStatus?: boolean }

const ambientArguments = (args: AmbientArguments) => ({
  dBacklightAutomaticStatus: args.backlightAutomaticStatus,
  dMinBacklight: args.minBacklight,
  dMaxBacklight: args.maxBacklight,
  dMinAmbientLight: args.minAmbientLight,
  dMaxAmbientLight: args.maxAmbientLight,
})
